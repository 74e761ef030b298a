import pathlib
def sub(path, *pairs):
    p=pathlib.Path(path); s=p.read_text()
    for a,b in pairs:
        assert a in s,(path,a); s=s.replace(a,b,1)
    p.write_text(s)
sub("tests/annotation/services/test_training_meaning.py",('''    for number in range(2 * len(NOUNS)):
        for person in people:
            answer(campaign, person, "preserve" if number % 2 == 0 else ("change", "no_sense")[number % 4 == 3])
''','''    for person in people:
        for _ in news:
            claim = claim_next(campaign=campaign, annotator=person)
            if claim.item.number <= 2 * len(NOUNS):
                label = ("preserve", "change", "preserve", "no_sense")[(claim.item.number - 1) % 4]
                submit(claim_id=claim.pk, annotator=person, data={"label": label, "confidence": 4})
            else:
                skip(claim_id=claim.pk, annotator=person)
'''),("def judged(make_campaign: MakeCampaign, make_annotator: MakeAnnotator, answer: Answer)","def judged(make_campaign: MakeCampaign, make_annotator: MakeAnnotator)"),("import Answer, MakeAnnotator","import MakeAnnotator"))

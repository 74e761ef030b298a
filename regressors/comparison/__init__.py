"""Which kind of model is best on some judgements, what its feature groups add, and what carries over from one attacker to another
(Tonni, Faustini and Dras, "Suspiciousness of Adversarial Texts to Human", 2024, Tables 11 to 13)."""

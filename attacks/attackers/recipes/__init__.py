"""Named, citable settings of attackers, and searches that only a recipe has."""

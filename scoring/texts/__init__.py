"""How much a text was changed: BODEGA's scores, what differs, which texts are near-duplicates."""

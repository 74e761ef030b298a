// Loads every subset of the reading face before a text needs it, so that no letter ever appears late or in another font.

const samples = ["a", "ā", "а", "ԁ", "α", "ạ"]; // latin, latin-ext, cyrillic, cyrillic-ext, greek, vietnamese
for (const sample of samples) document.fonts.load('1em "Source Serif 4 Variable"', sample);

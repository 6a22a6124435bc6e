"""Texts as the words of the aligner's dictionary."""

import os
import re

NUMBERS = "zero one two three four five six seven eight nine ten".split()

# Words of the recordings that the aligner's dictionary lacks.
EXTRA = {
    "floda": "F L OW D AH", "lederhosen": "L EY D ER HH OW Z AH N", "ironstein": "AY ER N S T AY N",
    "feed'st": "F IY D S T", "mak'st": "M EY K S T", "buriest": "B EH R IY AH S T",
    "beauty's": "B Y UW T IY Z", "niggarding": "N IH G ER D IH NG", "riper": "R AY P ER",
    "churl": "CH ER L", "glutton": "G L AH T AH N", "azura's": "AH Z UH R AH Z",
    "passageways": "P AE S IH JH W EY Z", "piranhas": "P ER AA N AH Z", "lamest": "L EY M AH S T",
    "sharpener": "SH AA R P AH N ER", "inconsiderate": "IH N K AH N S IH D ER AH T",
    "marmot": "M AA R M AH T", "toucan": "T UW K AE N", "quetzal": "K EH T S AA L",
    "boars": "B AO R Z", "xanthia": "Z AE N TH IY AH", "sphynx": "S F IH NG K S",
    "fumigator": "F Y UW M AH G EY T ER", "sloths": "S L AO TH S", "weenie": "W IY N IY",
    "shoulda": "SH UH D AH", "unmute": "AH N M Y UW T", "unmuted": "AH N M Y UW T AH D",
    "undelete": "AH N D IH L IY T", "manicuring": "M AE N IH K Y UH R IH NG",
}


class Dictionary:
    """word -> ARPAbet phones: the aligner's own dictionary and EXTRA."""

    def __init__(self, folder):
        self._phones = {word: phones.split() for word, phones in EXTRA.items()}
        path = os.path.join(folder, "pocketsphinx", "model", "en-us", "cmudict-en-us.dict")
        with open(path) as file:
            for line in file:
                word, *phones = line.split()
                self._phones.setdefault(word, phones)

    def __contains__(self, word):
        return word in self._phones

    def phones(self, word):
        return self._phones[word]


def words(text):
    """Lower-case words: numbers up to ten in letters, hyphens part words, no other marks.

    A larger number becomes a word that no dictionary has."""
    text = re.sub(r"\d+", lambda m: NUMBERS[int(m[0])] if int(m[0]) <= 10 else "number" + m[0], text)
    text = text.lower().replace("’", "'")
    return [word.strip("'") for word in re.findall(r"[a-z0-9']+", text) if word.strip("'")]

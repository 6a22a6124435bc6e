"""The 15 visemes, and which of them each phone of the voices shows."""

NAMES = "sil PP FF TH DD kk CH SS nn RR aa E ih oh ou".split()
INDEX = {name: index for index, name in enumerate(NAMES)}

# Eight classes that look different to a viewer: shut, lip on teeth, tongue sounds, pursed, open, wide, round.
VISUAL = [0, 1, 2, 3, 3, 3, 4, 3, 3, 4, 5, 6, 6, 7, 7]

# A phone that borrows the shape of the vowel after it.
BORROWED = "*"

ARPABET = {}
for viseme, phones in {
    "sil": "pau sil h# brth ssil", "PP": "p b m em", "FF": "f v", "TH": "th dh", "DD": "t d dx",
    "kk": "k g", "CH": "ch jh sh zh", "SS": "s z", "nn": "n l ng en el nx", "RR": "r er axr",
    "aa": "aa ah ax ae", "E": "eh", "ih": "ih iy y ix", "oh": "ao", "ou": "uh uw w",
}.items():
    for phone in phones.split():
        ARPABET[phone] = [viseme]
ARPABET.update(ay=["aa", "ih"], aw=["aa", "ou"], ow=["oh", "ou"], ey=["E", "ih"], oy=["oh", "ih"],
               hh=[BORROWED], hv=[BORROWED])

IPA = {}
for viseme, phones in {
    "PP": "pbmβɸ", "FF": "fvʋɱ", "TH": "θð", "DD": "tdɾʈɖ", "kk": "kɡgxɣχʁʀqcɟç", "CH": "ʃʒʧʤɕʑʂʐ", "SS": "sz",
    "nn": "nlɫŋɲʎɭɳɴ", "RR": "ɹrɚɝɜɻ", "aa": "ɑaæʌəɐᵊ", "E": "ɛe", "ih": "iɪᵻjɨʝ", "oh": "ɒɔoøœɤɵ",
    "ou": "ʊuwyʏɥɯʉ", "sil": "ʔ",
}.items():
    for phone in phones:
        IPA[phone] = [viseme]
IPA.update(h=[BORROWED], A=["E", "ih"], I=["aa", "ih"], O=["oh", "ou"], W=["aa", "ou"], Y=["oh", "ih"],
           Q=["oh", "ou"])


def of_ipa(symbols):
    """Visemes of a string of IPA letters in order, neighbours that look alike merged; ['sil'] if none."""
    if symbols == "ʲ":  # a glide by itself, not the softness of a consonant
        return ["ih"]
    found = []
    for letter in symbols.replace("tʃ", "ʃ").replace("dʒ", "ʒ"):
        for viseme in IPA.get(letter, []):
            if not found or found[-1] != viseme:
                found.append(viseme)
    return found or ["sil"]


def labels(segments, count, hop=0.01):
    """One viseme number a frame: what shows at time `index * hop`.

    `segments` is a list of (start seconds, end seconds, visemes); a segment of several visemes is split
    evenly. Time outside all segments is silence.
    """
    parts = []
    for index, (start, end, shown) in enumerate(segments):
        if shown == [BORROWED]:
            after = segments[index + 1][2] if index + 1 < len(segments) else ["aa"]
            shown = ["aa"] if after[0] in (BORROWED, "sil") else after[:1]
        for part, viseme in enumerate(v for v in shown if v != BORROWED):
            width = (end - start) / len(shown)
            parts.append((start + width * part, start + width * (part + 1), INDEX[viseme]))
    track = [0] * count
    for start, end, viseme in parts:
        first = max(0, -int(-start // hop))
        last = min(count, -int(-end // hop))
        for frame in range(first, last):
            track[frame] = viseme
    return track

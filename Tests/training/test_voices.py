"""Part `voices` holds nothing that training hears, and says its phones as the benchmark reads them.
Needs numpy and scipy."""

import os
import sys
import unittest

TRAINING = os.path.join(os.path.dirname(__file__), "../../training")
sys.path[:0] = [TRAINING, os.path.join(TRAINING, "real_speech")]

import languages
import make_data
import natural
import sentences
import synthesizers
import visemes
from voices import espeak


class Unheard(unittest.TestCase):
    def test_no_sentence_is_one_of_training(self):
        heard = set()
        for count, seed in ((make_data.LUNA_SENTENCES, 11), (make_data.ESPEAK_SENTENCES, 12), (240, 20), (260, 21),
                            (320, 22), (200, 30), (natural.PSEUDO_SENTENCES, 43), (3000, 40)):
            heard.update(sentences.training_sentences(count, seed))
        said = synthesizers.texts()
        self.assertEqual(len(set(said)), synthesizers.SENTENCES)
        self.assertFalse(heard & set(said))

    def test_no_sentence_of_another_language_is_one_of_training(self):
        heard = {line for lines in languages.SENTENCES.values() for line in lines}
        for language, lines in languages.HELD_OUT.items():
            self.assertEqual(len(set(lines)), 12, language)
            self.assertFalse(heard & set(lines), language)
        self.assertLess(set(languages.SENTENCES), set(languages.HELD_OUT))

    def test_no_voice_is_one_of_training(self):
        for variant in synthesizers.VARIANTS:
            self.assertNotIn(variant, espeak.VARIANTS)
        for voice in espeak.HELD_OUT:
            self.assertTrue(voice.endswith(synthesizers.VARIANTS), voice)


class Phones(unittest.TestCase):
    def test_phones_show_what_the_segments_show(self):
        arpabet = {name.upper(): shown for name, shown in visemes.ARPABET.items()}
        segments = [(0, .1, ["sil"]), (.1, .2, ["PP"]), (.2, .25, [visemes.BORROWED]), (.25, .45, ["aa", "ih"]),
                    (.45, .5, ["RR"]), (.5, .6, ["nn"])]
        made = synthesizers.phones(segments, 0.58)
        self.assertEqual(made[3:5], [[.25, .35, "AA"], [.35, .45, "IH"]])
        self.assertEqual(made[-1], [.5, .58, "N"])
        again = [(start, end, arpabet.get(name, ["sil"])) for start, end, name in made]
        self.assertEqual(visemes.labels(again, 58), visemes.labels(segments, 58))

    def test_a_glide_and_rounded_vowels_of_other_languages_are_no_silence(self):
        for symbols, shown in (("ʲ", ["ih"]), ("nʲ", ["nn"]), ("ɵ", ["oh"]), ("ʉː", ["ou"]), ("ː", ["sil"])):
            self.assertEqual(visemes.of_ipa(symbols), shown, symbols)

    def test_every_viseme_has_a_phone_that_shows_it(self):
        for viseme in visemes.NAMES:
            self.assertEqual(visemes.ARPABET[synthesizers.PHONES[viseme].lower()], [viseme])

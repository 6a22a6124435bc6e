"""`python3 -m unittest` in characters/luna-anime."""
import io
import json
import pathlib
import subprocess
import sys
import unittest

import cairo
import numpy as np

HERE = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(HERE))

from builder import atlas, character, puppet_file, sheet, validate  # noqa: E402
from builder.preview import Preview  # noqa: E402

PACK = HERE / "pack"
# What the face engine makes of visemes and emotions (MouthShapes, Expression).
PP = {**sheet.S2("mouthPress", 0.55), "mouthRollLower": 0.25, "mouthRollUpper": 0.25}
FF = {"jawOpen": 0.07, "mouthRollLower": 0.6, **sheet.S2("mouthUpperUp", 0.25)}
CH = {"jawOpen": 0.12, "mouthFunnel": 0.5, "mouthPucker": 0.28, **sheet.S2("mouthUpperUp", 0.12),
      **sheet.S2("mouthLowerDown", 0.16)}
RR = {"jawOpen": 0.16, "mouthFunnel": 0.34, "mouthPucker": 0.3, **sheet.S2("mouthLowerDown", 0.08)}
OU = {"jawOpen": 0.18, "mouthFunnel": 0.22, "mouthPucker": 0.72}
SURPRISED = {"jawOpen": 0.28, "mouthPucker": 0.4}


class BuiltCharacter(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.puppet, cls.sheet = character.build()
        cls.preview = Preview(cls.puppet, cls.sheet)

    def landmarks(self, **pose):
        p = self.preview.positions(**pose)
        return {m["name"].decode(): p[m["vertex"]] for m in self.preview.t["landmarks"]}

    def gap(self, weights):
        m = self.landmarks(weights=weights)
        return m["lipLower"][1] - m["lipUpper"][1]

    def width(self, weights):
        m = self.landmarks(weights=weights)
        return m["mouthLeft"][0] - m["mouthRight"][0]

    def test_two_builds_give_the_same_bytes(self):
        again, pixels = character.build()
        self.assertEqual(again, self.puppet)
        self.assertTrue((pixels == self.sheet).all())

    def test_the_pack_in_the_repository_is_what_the_builder_makes(self):
        # Sines and powers may differ in the last bit from one processor to another.
        stored = puppet_file.read((PACK / "puppet.bin").read_bytes())
        built = puppet_file.read(self.puppet)
        self.assertEqual(stored[:2], built[:2])
        for name, table in built[2].items():
            other = stored[2][name]
            self.assertEqual(len(other), len(table), name)
            for field in table.dtype.names or (None,):
                a, b = (table, other) if field is None else (table[field], other[field])
                if a.dtype.kind == "f":
                    self.assertLess(abs(a - b).max(), 0.001, (name, field))
                else:
                    self.assertTrue((a == b).all(), (name, field))

    def test_the_puppet_has_no_faults(self):
        self.assertEqual(validate.puppet_faults(self.puppet), [])

    def test_the_pack_has_no_faults(self):
        self.assertEqual(validate.pack_faults(PACK), [])

    def test_a_puppet_that_was_cut_short_is_refused(self):
        for size in (0, 79, 80, 5000, len(self.puppet) - 1):
            with self.assertRaises(ValueError):
                puppet_file.read(self.puppet[:size])

    def test_lips_touch_when_the_face_is_at_rest(self):
        self.assertLess(self.gap({}), 0.02 * self.width({}))

    def test_lips_touch_for_p_and_b(self):
        pressed = sheet.VISEMES["PP"]
        self.assertLess(self.gap(pressed), 0.02 * self.width(pressed))

    def mouth(self, weights):
        return self.preview.frame(crop=(470, 860, 140, 70), size=140, weights=weights).astype(int)

    def test_lips_that_are_pressed_look_unlike_lips_at_rest(self):
        self.assertLess(self.gap(PP), 0.02 * self.width(PP))
        changed = abs(self.mouth(PP) - self.mouth({})).max(2) > 24
        self.assertGreater(int(changed.sum()), 500)

    def test_teeth_show_where_they_should_and_nowhere_else(self):
        # Skin is darker in blue.
        white = {name: int((self.mouth(weights).min(2) > 225).sum())
                 for name, weights in dict(FF=FF, CH=CH, RR=RR, OU=OU, surprised=SURPRISED, PP=PP).items()}
        self.assertGreater(white["FF"], 250)
        self.assertGreater(white["CH"], 60)
        for name in ("RR", "OU", "surprised", "PP"):
            self.assertLess(white[name], 3, name)

    def test_the_red_of_the_lower_lip_shows_under_the_teeth(self):
        below = self.landmarks(weights=FF)["lipLower"][1] + 4.5
        lip, bare = (self.preview.frame(crop=(525, below, 30, 3), size=30, weights=w).astype(int)
                     for w in (FF, {**FF, "mouthRollLower": 0.0}))
        self.assertGreater((bare - lip)[..., 1].mean(), 20)

    def test_nothing_of_the_background_shows_through_the_turned_head(self):
        layers = self.preview.t["layers"]
        self.preview.t["layers"] = layers[layers["flags"] != 2]
        try:
            for pose in (dict(yaw=-20), dict(yaw=20), dict(yaw=20, pitch=-15), dict(yaw=-20, roll=10),
                         dict(yaw=20, sway={"*": 0.06}), dict(yaw=-20, sway={"*": -0.06})):
                dark, light = (self.preview.frame(crop=(140, 290, 800, 720), size=400, paper=(k, k, k), **pose)
                               for k in (0, 1))
                clear = (light.astype(int) - dark).max(2) > 16
                outside = np.zeros_like(clear)
                outside[0], outside[:, 0], outside[:, -1] = clear[0], clear[:, 0], clear[:, -1]
                while True:
                    # One step in all eight directions.
                    rows = np.pad(outside, ((1, 1), (0, 0)))
                    grown = np.pad(rows[:-2] | rows[1:-1] | rows[2:], ((0, 0), (1, 1)))
                    grown = (grown[:, :-2] | grown[:, 1:-1] | grown[:, 2:]) & clear
                    if (grown == outside).all():
                        break
                    outside = grown
                self.assertGreater(int(outside.sum()), 10_000)
                self.assertEqual(int((clear & ~outside).sum()), 0, pose)
        finally:
            self.preview.t["layers"] = layers

    def test_small_sizes_of_the_atlas_mix_no_part_with_its_neighbour(self):
        v, boxes = self.preview.t["vertices"], {}
        for layer in self.preview.t["layers"]:
            own = v[self.preview.t["indices"][layer["first"]:layer["first"] + layer["count"]]]
            x, y = own["u"] * self.sheet.shape[1], own["v"] * self.sheet.shape[0]
            boxes[int(layer["first"])] = (layer["name"].decode(), x.min(), x.max(), y.min(), y.max())
        boxes = list(boxes.values())
        for k, (name, left, right, top, bottom) in enumerate(boxes):
            for other, left2, right2, top2, bottom2 in boxes[k + 1:]:
                apart = max(left2 - right, left - right2, top2 - bottom, top - bottom2)
                self.assertGreater(apart, 15, (name, other))

    def test_mouth_close_closes_an_open_jaw(self):
        shut = {"jawOpen": 1.0, "mouthClose": 1.0}
        self.assertLess(self.gap(shut), 0.02 * self.width(shut))

    def test_the_open_vowel_is_wide_open(self):
        self.assertGreater(self.gap(sheet.VISEMES["aa"]), 0.45 * self.width({}))

    def test_oo_is_narrow_and_ee_is_wide(self):
        rest = self.width({})
        self.assertLess(self.width(sheet.VISEMES["ou"]), 0.62 * rest)
        self.assertGreater(self.width(sheet.VISEMES["E"]), 1.1 * rest)

    def test_a_small_round_mouth_is_not_much_wider_than_high(self):
        # The weights of the viseme "ou" in the face engine.
        ou = {"jawOpen": 0.18, "mouthFunnel": 0.22, "mouthPucker": 0.72}
        self.assertGreater(self.gap(ou), 0.45 * self.width(ou))

    def test_the_meshes_of_the_mouth_end_in_transparent_margins(self):
        # A mesh that ends in paint has stepped edges where nothing smooths them.
        alpha, t = self.sheet[..., 3], self.preview.t
        v = t["vertices"]
        for name in ("mouthInterior", "teethLower", "teethUpper", "tongue", "lipLower", "lipUpper"):
            layer = next(l for l in t["layers"] if l["name"].decode() == name)
            i = t["indices"][layer["first"]:layer["first"] + layer["count"]].reshape(-1, 3)
            edges = np.sort(np.concatenate([i[:, [0, 1]], i[:, [1, 2]], i[:, [2, 0]]]), axis=1)
            edges, count = np.unique(edges, axis=0, return_counts=True)
            a, b = v[edges[count == 1][:, 0]], v[edges[count == 1][:, 1]]
            # What lies behind a lip is hidden by the clip.
            below = a["v"] + b["v"] > 2 * v["v"][i].mean()
            hidden = {"teethLower": below, "tongue": below, "teethUpper": ~below}.get(name, below & ~below)
            painted = 0
            for share in np.linspace(0, 1, 9):
                x = ((a["u"] * (1 - share) + b["u"] * share) * alpha.shape[1]).astype(int)
                y = ((a["v"] * (1 - share) + b["v"] * share) * alpha.shape[0]).astype(int)
                painted += int((alpha[y, x][~hidden] > 0).sum())
            self.assertEqual(painted, 0, name)

    def test_the_background_is_as_bright_at_the_edge_as_beside_it(self):
        frame = self.preview.frame(crop=(0, 190, 1080, 1080), size=216).astype(int)
        for edge, inside in ((frame[:, 0], frame[:, 4]), (frame[:, -1], frame[:, -5])):
            # The moon begins lower down.
            self.assertLess(abs(edge[:60] - inside[:60]).max(), 4)

    def test_a_closed_eye_leaves_no_white(self):
        p = self.preview.positions(weights={"eyeBlinkLeft": 1.0, "eyeBlinkRight": 1.0})
        for name in ("eyeWhiteLeft", "eyeWhiteRight"):
            layer = next(l for l in self.preview.t["layers"] if l["name"].decode() == name)
            i = self.preview.t["indices"][layer["first"]:layer["first"] + layer["count"]].reshape(-1, 3)
            a, b, c = p[i[:, 0]], p[i[:, 1]], p[i[:, 2]]
            area = abs((b[:, 0] - a[:, 0]) * (c[:, 1] - a[:, 1]) - (c[:, 0] - a[:, 0]) * (b[:, 1] - a[:,
                                                                                                      1])) / 2
            self.assertLess(area.sum(), 120 * 7, name)

    def test_the_eye_closes_whatever_else_the_lids_do(self):
        for other in ("eyeSquint", "eyeWide", "eyeLookUp", "eyeLookDown"):
            plain = self.preview.positions(weights={"eyeBlinkLeft": 1.0})
            both = self.preview.positions(weights={"eyeBlinkLeft": 1.0, other + "Left": 1.0})
            layer = next(l for l in self.preview.t["layers"] if l["name"] == b"eyeWhiteLeft")
            i = self.preview.t["indices"][layer["first"]:layer["first"] + layer["count"]]
            self.assertLess(abs(plain[i] - both[i]).max(), 0.6, other)

    def test_the_left_of_the_character_is_at_the_right_of_the_viewer(self):
        m = self.landmarks()
        self.assertGreater(m["eyeLeft"][0], m["eyeRight"][0])
        self.assertGreater(m["mouthLeft"][0], m["mouthRight"][0])

    def test_a_positive_yaw_turns_the_face_to_the_right_of_the_viewer(self):
        self.assertGreater(self.landmarks(yaw=15)["chin"][0], self.landmarks()["chin"][0] + 20)

    def test_the_background_covers_the_canvas(self):
        layer = self.preview.t["layers"][0]
        self.assertEqual(layer["flags"], 2)
        p = self.preview.positions(yaw=20, pitch=15, roll=10, breath=1)
        i = self.preview.t["indices"][layer["first"]:layer["first"] + layer["count"]]
        low, high = p[i].min(0), p[i].max(0)
        self.assertTrue((low <= 0).all() and high[0] >= 1080 and high[1] >= 1920)

    def test_every_viseme_morph_exists(self):
        names = set(self.preview.morphs)
        for weights in sheet.VISEMES.values():
            self.assertLessEqual(set(weights), names)

    def test_springs_hold_at_the_root_and_move_at_the_tip(self):
        still = self.preview.positions()
        moved = self.preview.positions(sway={"*": 0.1})
        v = self.preview.t["vertices"]
        for k, s in enumerate(self.preview.t["springs"]):
            own = v["spring"] == k
            d = abs(moved - still).max(1)
            self.assertLess(d[own & (v["sway"] == 0)].max(initial=0.0), 0.01, s["name"])
            self.assertGreater(d[own].max(), 3, s["name"])


class Manifest(unittest.TestCase):
    def setUp(self):
        self.manifest = json.loads((PACK / "character.json").read_text(encoding="utf-8"))

    def test_it_names_luna(self):
        m = self.manifest
        self.assertEqual((m["schema"], m["character"], m["engine"], m["displayName"]),
                         (1, "luna-anime", "puppet", "Luna"))

    def test_only_the_still_picture_has_tier_zero(self):
        tiers = {f["path"]: f["tier"] for f in self.manifest["files"]}
        self.assertEqual([p for p, t in tiers.items() if t == 0], [self.manifest["poster"], "scene.jpg", "figure.png"])

    def test_the_still_picture_is_small(self):
        size = sum(f["size"] for f in self.manifest["files"] if f["tier"] == 0)
        self.assertLessEqual(size, 180_000)

    def test_the_manifest_crops_as_the_puppet_does(self):
        numbers = puppet_file.read((PACK / "puppet.bin").read_bytes())[0]
        crop = self.manifest["crop"]
        self.assertEqual([crop["x"], crop["y"], crop["size"]], list(numbers[2:5]))

    def test_the_figure_cut_from_the_poster_over_the_scene_is_the_poster(self):
        def picture(name, kind):
            command = ["convert", str(PACK / name), "-resize", "540x960!", "-depth", "8", f"{kind}:-"]
            raw = subprocess.run(command, capture_output=True, check=True).stdout
            return np.frombuffer(raw, np.uint8).reshape(960, 540, len(kind)).astype(float)

        poster, scene = picture("poster.jpg", "rgb"), picture("scene.jpg", "rgb")
        alpha = picture("figure.png", "rgba")[..., 3:] / 255
        # The shape is a pixel smaller than she is; the scene alone differs by far more.
        self.assertLess(abs(poster * alpha + scene * (1 - alpha) - poster).mean(), 2.0)
        self.assertGreater(abs(scene - poster).mean(), 20.0)
        # Her middle is hers, and the corners above her are the scene's.
        self.assertEqual(alpha[480, 270, 0], 1)
        self.assertEqual(alpha[:50].max(), 0)


class Png(unittest.TestCase):
    def test_a_written_picture_reads_back_unchanged(self):
        pixels = np.random.default_rng(7).integers(0, 256, (9, 13, 3)).astype(np.uint8)
        s = cairo.ImageSurface.create_from_png(io.BytesIO(atlas.png(pixels)))
        raw = np.ndarray((9, s.get_stride() // 4, 4), np.uint8, s.get_data())[:, :13, 2::-1]
        self.assertTrue((raw == pixels).all())


if __name__ == "__main__":
    unittest.main()

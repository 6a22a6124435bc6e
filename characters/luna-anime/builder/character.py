"""Luna as a list of parts in drawing order."""
from . import body, eyes, face, hair, mouth
from .assemble import assemble

MORPHS = ("jawOpen mouthClose mouthFunnel mouthPucker mouthStretchLeft mouthStretchRight mouthSmileLeft "
          "mouthSmileRight mouthFrownLeft mouthFrownRight mouthPressLeft mouthPressRight mouthRollLower "
          "mouthRollUpper mouthUpperUpLeft mouthUpperUpRight mouthLowerDownLeft mouthLowerDownRight "
          "tongueOut eyeBlinkLeft eyeBlinkRight eyeSquintLeft eyeSquintRight eyeWideLeft eyeWideRight eyeLookUpLeft "
          "eyeLookUpRight eyeLookDownLeft eyeLookDownRight eyeLookInLeft eyeLookInRight eyeLookOutLeft "
          "eyeLookOutRight browInnerUp browDownLeft browDownRight browOuterUpLeft browOuterUpRight cheekPuff "
          "cheekSquintLeft cheekSquintRight").split()
CORRECTIVES = ["jawOpen*" + n for n in (
    "mouthClose", "mouthFunnel", "mouthPucker", "mouthStretchLeft", "mouthStretchRight", "mouthSmileLeft",
    "mouthSmileRight", "tongueOut")]
CORRECTIVES += ["mouthFunnel*mouthPucker", "mouthPucker*mouthSmileLeft", "mouthPucker*mouthSmileRight",
                "mouthPucker*mouthStretchLeft", "mouthPucker*mouthStretchRight"]


def build():
    """(puppet bytes, atlas pixels)."""
    back, front, springs = hair.build()
    behind, before, more = body.build()
    right, left = eyes.Eye(-1), eyes.Eye(1)
    parts = [body.background(), *back, *behind, *face.neck_parts(), *before, *hair.lock_shadows(),
             *face.face_parts(), *mouth.parts(), *right.parts(), *left.parts(), *front]
    landmarks = mouth.landmarks() + [("chin", "face", *face.CHIN), left.landmark(), right.landmark()]
    return assemble(parts, springs + more, landmarks,
                    MORPHS + CORRECTIVES + right.correctives() + left.correctives())

"""Where things are in depth, and the pose arithmetic of the format."""
import numpy as np

from .ink import smoothstep

WIDTH, HEIGHT = 1080.0, 1920.0
CROP = (0.0, 190.0, 1080.0)
PIVOT = (540.0, 890.0, 0.0)
CAMERA = 4000.0
BREATH = 5.0


def unproject(x, y, z, head):
    """Rest position whose neutral, perspective image is (x, y)."""
    k = 1 / (1 - (z - PIVOT[2]) / CAMERA)
    f = 1 + head * (k - 1)
    return PIVOT[0] + (x - PIVOT[0]) / f, PIVOT[1] + (y - PIVOT[1]) / f


def face_z(x, y):
    """The curved shell of the face."""
    u, v = (x - 540) / 252, (y - 740) / 330
    return 195 * np.sqrt(np.maximum(0.05, 1 - 0.93 * u * u - 0.35 * v * v))


def hair_z(x, y):
    """The shell of the front hair, outside the face."""
    u, v = (x - 540) / 330, np.minimum(y - 700, 0) / 402
    return 232 * np.maximum(0.0, 1 - u * u - v * v)


def long_hair_head(y, low=0.5, start=960.0, end=1500.0):
    """Head weight of hair that drapes over the back and shoulders."""
    return 1 - (1 - low) * smoothstep(y, start, end)

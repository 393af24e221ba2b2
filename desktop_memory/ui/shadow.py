"""The one soft shadow: painted once per size into an image, since Qt's own effect repaints with every key."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from PySide6.QtGui import QImage

STEPS = 3


@lru_cache(maxsize=8)
def shadow(width: int, height: int, margin: int, radius: int, darkness: float, ratio: float) -> QImage:
    """A blurred rectangle of `width` x `height` with `margin` around it, in logical pixels."""
    scale = ratio / 2
    """Half the resolution is enough for something this soft."""
    w, h, m = (max(1, round(v * scale)) for v in (width, height, margin))
    ground = np.zeros((h + 2 * m, w + 2 * m), dtype=np.float32)
    inset = max(1, m // 5)
    ground[m + inset : m + h, m + inset : m + w - inset] = 1.0
    reach = max(1, m // (STEPS + 1))
    for _ in range(STEPS):
        for axis in (0, 1):
            ground = _box(ground, reach, axis)
    alpha = np.clip(ground * darkness * 255, 0, 255).astype(np.uint8)
    pixels = np.zeros((*alpha.shape, 4), dtype=np.uint8)
    pixels[..., 3] = alpha
    image = QImage(
        pixels.tobytes(),
        alpha.shape[1],
        alpha.shape[0],
        alpha.shape[1] * 4,
        QImage.Format.Format_ARGB32_Premultiplied,
    ).copy()
    image.setDevicePixelRatio(scale)
    return image


def _box(values: np.ndarray, reach: int, axis: int) -> np.ndarray:
    """A running mean over 2·reach+1 pixels."""
    padding = [(0, 0), (0, 0)]
    padding[axis] = (reach + 1, reach)
    sums = np.cumsum(np.pad(values, padding), axis=axis, dtype=np.float64)
    size = 2 * reach + 1
    high = np.take(sums, range(size, sums.shape[axis]), axis=axis)
    low = np.take(sums, range(sums.shape[axis] - size), axis=axis)
    return ((high - low) / size).astype(np.float32)

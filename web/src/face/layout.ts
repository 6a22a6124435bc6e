/** Size of the canvas and its square of head and shoulders, in canvas units. */
export interface FaceCanvas {
  width: number;
  height: number;
  cropX: number;
  cropY: number;
  cropSize: number;
}

/** Where canvas unit (0, 0) lies in the view and how large a unit is there, in view pixels. */
export interface Placement {
  x: number;
  y: number;
  scale: number;
}

/** Where the character and the scene behind it are drawn. */
export interface FaceLayout {
  figure: Placement;
  background: Placement;
  /** How much of the scene is drawn, 0...1; default 1. */
  sceneOpacity?: number;
}

/** Share of the square's width that the face itself needs. */
const FACE_SHARE = 0.55;

/**
 * Fits a canvas into a view.
 *
 * `cover` fills the view but keeps the whole height of the square of head and shoulders: in a wide
 * view the scene alone grows to the edges. `contain` shows all of the canvas, or of the square.
 */
export function placeFace(
  canvas: FaceCanvas,
  view: { width: number; height: number },
  fit: "cover" | "contain",
  crop: "full" | "square",
): FaceLayout {
  const box = crop === "square"
    ? { x: canvas.cropX, y: canvas.cropY, width: canvas.cropSize, height: canvas.cropSize }
    : { x: 0, y: 0, width: canvas.width, height: canvas.height };
  const ratios = [view.width / box.width, view.height / box.height] as const;
  const focus = { x: canvas.cropX + canvas.cropSize / 2, y: canvas.cropY + canvas.cropSize / 2 };
  const covering = Math.max(view.width / canvas.width, view.height / canvas.height);
  const largest = Math.min(view.height, view.width / FACE_SHARE) / canvas.cropSize;
  const smallest = Math.min(...ratios);
  const scale = fit === "contain" ? smallest : Math.min(Math.max(...ratios), Math.max(largest, smallest));
  const centre = fit === "contain" ? { x: box.x + box.width / 2, y: box.y + box.height / 2 } : focus;
  const figure = place(canvas, view, scale, centre);
  const background = place(canvas, view, Math.max(scale, covering), centre);
  return { figure, background: fit === "contain" ? figure : background };
}

/** Centres `centre` in the view, moved so that the canvas covers the view where it can. */
function place(
  canvas: FaceCanvas,
  view: { width: number; height: number },
  scale: number,
  centre: { x: number; y: number },
): Placement {
  const along = (viewSize: number, size: number, middle: number): number => {
    const free = viewSize - size * scale;
    if (free >= 0) return Math.min(free, Math.max(0, viewSize / 2 - middle * scale));
    return Math.max(free, Math.min(0, viewSize / 2 - middle * scale));
  };
  return {
    x: along(view.width, canvas.width, centre.x),
    y: along(view.height, canvas.height, centre.y),
    scale,
  };
}

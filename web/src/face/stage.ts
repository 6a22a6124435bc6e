import { type FaceCanvas, type FaceLayout, placeFace } from "./layout.js";

/** Pixels beyond which sharpness is no longer seen, but paid for. */
const MOST_PIXELS = 4_000_000;
const SLOW_FRAME_MS = 30;
const SMALLEST_DETAIL = 0.45;
/** Without a graphics device the processor draws, and the voice needs it too. */
const SOFTWARE_DETAIL = 0.6;
const SOFTWARE_FRAME_MS = 38;
/** How long the still picture takes to give way to the live one. */
const FADE_MS = 240;

/** A picture of a pack. */
export interface Picture {
  bytes: ArrayBuffer;
  type: string;
}

/** What stands until the face is drawn: a poster, and the scene and the figure's shape where a pack has them. */
export interface Still {
  poster: Picture;
  /** The scene without the figure: it fills the view as the live one does. */
  scene?: Picture;
  /** A picture of the canvas, opaque where the figure is: the poster is cut by it. */
  figure?: Picture;
}

/** The element of a character: a canvas, and over it a still picture until the canvas is drawn. */
export class Stage {
  readonly root: HTMLDivElement;
  /** Poster and scene as one picture, which fades as one. */
  private readonly still: HTMLDivElement;
  private readonly poster: HTMLImageElement;
  private readonly sceneImage: HTMLImageElement;
  private readonly fit: "cover" | "contain";
  private readonly crop: "full" | "square";
  private readonly observer: ResizeObserver;
  private readonly drawFrame: (seconds: number) => void;
  private canvasElement: HTMLCanvasElement | undefined;
  private addresses: string[] = [];
  private posterAddress: string | undefined;
  /** Whether figure and scene of the still picture are placed on their own, like those of the live one. */
  private isCut = false;
  private request = 0;
  private lastFrame = 0;
  private frameMs = 16;
  private detail = 1;
  private steadyFrames = 0;
  private stale = false;
  private shortestFrameMs = 0;
  private cssWidth = 0;
  private cssHeight = 0;
  private scene = 1;
  private showsCanvas = false;
  canvas: FaceCanvas = { width: 1080, height: 1920, cropX: 90, cropY: 250, cropSize: 900 };

  /** `drawFrame` is called at the display's rate while the page is visible and drawing is on. */
  constructor(
    container: HTMLElement,
    options: { fit: "cover" | "contain"; crop: "full" | "square" },
    drawFrame: (seconds: number) => void,
  ) {
    this.fit = options.fit;
    this.crop = options.crop;
    this.drawFrame = drawFrame;
    this.root = document.createElement("div");
    this.root.setAttribute("role", "img");
    style(this.root, { position: "relative", width: "100%", height: "100%", overflow: "hidden" });
    this.still = document.createElement("div");
    style(this.still, { position: "absolute", inset: "0", opacity: "0", transition: `opacity ${FADE_MS}ms linear` });
    this.poster = document.createElement("img");
    this.sceneImage = document.createElement("img");
    for (const image of [this.sceneImage, this.poster]) {
      image.alt = "";
      image.decoding = "async";
      style(image, { position: "absolute", maxWidth: "none" });
    }
    this.sceneImage.hidden = true;
    this.still.append(this.sceneImage, this.poster);
    this.root.append(this.still);
    container.append(this.root);
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(this.root);
    this.resize();
  }

  /** What a screen reader calls the character. */
  set label(text: string) {
    this.root.setAttribute("aria-label", text);
  }

  /** How much of the scene behind the character is drawn over the page's own ground, 0...1. */
  set sceneOpacity(opacity: number) {
    this.scene = opacity;
    this.paintGround();
  }

  /** Shows the still picture; resolves when it can be seen. */
  async showStill({ poster, scene, figure }: Still): Promise<void> {
    this.forgetStill();
    this.posterAddress = this.address(poster);
    this.isCut = scene !== undefined && figure !== undefined;
    this.poster.src = this.posterAddress;
    const shown = [this.poster.decode()];
    if (scene !== undefined && figure !== undefined) {
      this.sceneImage.src = this.address(scene);
      const shape = new Image();
      shape.src = this.address(figure);
      shown.push(this.sceneImage.decode(), shape.decode());
    }
    this.sceneImage.hidden = !this.isCut;
    this.paintGround();
    // A shape that cannot be read hides all that it cuts.
    const isRead = (await Promise.allSettled(shown)).every(({ status }) => status === "fulfilled");
    this.isCut &&= isRead;
    const mask = this.isCut ? `url("${this.addresses[2]}")` : "none";
    style(this.poster, { maskImage: mask, webkitMaskImage: mask, maskSize: "100% 100%", webkitMaskSize: "100% 100%" });
    this.sceneImage.hidden = !this.isCut;
    this.paintGround();
    if (!this.showsCanvas) this.still.style.opacity = "1";
  }

  /** A fresh canvas under the still picture; the one before is removed. */
  newCanvas(): HTMLCanvasElement {
    this.canvasElement?.remove();
    const canvas = document.createElement("canvas");
    style(canvas, { position: "absolute", inset: "0", width: "100%", height: "100%" });
    this.root.prepend(canvas);
    this.canvasElement = canvas;
    this.resizeCanvas();
    return canvas;
  }

  /** Lets the canvas be seen instead of the still picture, or the other way round. */
  showCanvas(visible: boolean): void {
    this.still.style.opacity = visible || this.posterAddress === undefined ? "0" : "1";
    if (!visible) this.canvasElement?.remove();
    this.showsCanvas = visible;
    this.paintGround();
  }

  /** Draws fewer pixels, less often, from the start. */
  drawThriftily(): void {
    this.detail = Math.min(this.detail, SOFTWARE_DETAIL);
    this.shortestFrameMs = SOFTWARE_FRAME_MS;
    this.stale = true;
  }

  /** Begins to call `drawFrame`. */
  start(): void {
    if (this.request === 0) this.request = requestAnimationFrame(this.tick);
  }

  stop(): void {
    cancelAnimationFrame(this.request);
    this.request = 0;
  }

  /** Where the character lies on the canvas element, in its pixels. */
  layout(): FaceLayout {
    const canvas = this.canvasElement;
    const view = { width: canvas?.width ?? 1, height: canvas?.height ?? 1 };
    return { ...placeFace(this.canvas, view, this.fit, this.crop), sceneOpacity: this.scene };
  }

  /** Recomputes sizes, after the canvas became known or the element changed. */
  resize(): void {
    this.cssWidth = Math.max(1, this.root.clientWidth);
    this.cssHeight = Math.max(1, this.root.clientHeight);
    const view = { width: this.cssWidth, height: this.cssHeight };
    const { figure, background } = placeFace(this.canvas, view, this.fit, this.crop);
    for (const [image, { x, y, scale }] of [[this.poster, figure], [this.sceneImage, background]] as const) {
      style(image, {
        left: `${x}px`,
        top: `${y}px`,
        width: `${this.canvas.width * scale}px`,
        height: `${this.canvas.height * scale}px`,
      });
    }
    // Where a poster that is not cut leaves the view's edges free, the same picture fills them.
    style(this.root, {
      backgroundPosition: `${background.x}px ${background.y}px`,
      backgroundSize: `${this.canvas.width * background.scale}px ${this.canvas.height * background.scale}px`,
    });
    this.stale = true;
  }

  destroy(): void {
    this.stop();
    this.observer.disconnect();
    this.forgetStill();
    this.root.remove();
  }

  private address({ bytes, type }: Picture): string {
    const address = URL.createObjectURL(new Blob([bytes], { type }));
    this.addresses.push(address);
    return address;
  }

  private forgetStill(): void {
    for (const address of this.addresses.splice(0)) URL.revokeObjectURL(address);
    this.posterAddress = undefined;
  }

  /**
   * A poster that is not cut fills the edges from behind everything; a scene that is drawn in part shows the page
   * instead.
   */
  private paintGround(): void {
    this.sceneImage.style.opacity = String(this.scene);
    const shows = this.posterAddress !== undefined && !this.isCut && !(this.showsCanvas && this.scene < 1);
    const light = 0.45 + 0.55 * this.scene;
    const grey = Math.round(255 * light);
    this.poster.style.filter = this.scene < 1 && !this.isCut ? `brightness(${light})` : "";
    style(this.root, {
      backgroundImage: shows ? `url("${this.posterAddress}")` : "none",
      backgroundRepeat: "no-repeat",
      backgroundColor: shows && this.scene < 1 ? `rgb(${grey}, ${grey}, ${grey})` : "transparent",
      backgroundBlendMode: this.scene < 1 ? "multiply" : "normal",
    });
  }

  /** Runs just before a frame is drawn: a canvas that changes size is blank until then. */
  private resizeCanvas(): void {
    this.stale = false;
    const canvas = this.canvasElement;
    if (canvas === undefined) return;
    const full = Math.min(2, globalThis.devicePixelRatio || 1);
    const most = Math.sqrt(MOST_PIXELS / (this.cssWidth * this.cssHeight));
    const ratio = Math.min(full, most) * this.detail;
    const width = Math.max(1, Math.round(this.cssWidth * ratio));
    const height = Math.max(1, Math.round(this.cssHeight * ratio));
    if (canvas.width !== width) canvas.width = width;
    if (canvas.height !== height) canvas.height = height;
  }

  private readonly tick = (now: number): void => {
    this.request = requestAnimationFrame(this.tick);
    const gap = now - this.lastFrame;
    if (gap < this.shortestFrameMs) return;
    this.lastFrame = now;
    if (this.stale) this.resizeCanvas();
    if (gap < 500) this.watchSpeed(gap);
    this.drawFrame(now / 1000);
  };

  /** Draws fewer pixels on a device that cannot keep up. */
  private watchSpeed(gap: number): void {
    this.frameMs += (gap - this.frameMs) * 0.05;
    if (
      ++this.steadyFrames < 40 || this.frameMs < SLOW_FRAME_MS + this.shortestFrameMs ||
      this.detail <= SMALLEST_DETAIL
    ) return;
    this.steadyFrames = 0;
    this.frameMs = 16 + this.shortestFrameMs;
    this.detail = Math.max(SMALLEST_DETAIL, this.detail * 0.8);
    this.stale = true;
  }
}

/** Sets properties one by one, which a strict Content Security Policy allows. */
function style(element: HTMLElement, properties: Partial<Record<keyof CSSStyleDeclaration, string>>): void {
  Object.assign(element.style, properties);
}

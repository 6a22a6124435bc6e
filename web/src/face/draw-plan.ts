/** One run of triangles with how it is laid on the picture. */
export interface FaceDraw {
  firstIndex: number;
  indexCount: number;
  /** 0 normal, 1 multiply, 2 add. */
  blend: number;
  /** 0, or the mask channel 1...4 that cuts it. */
  clip: number;
  /** 0, or the mask channel 1...4 that it writes. */
  mask: number;
  /** Whether it writes its mask and nothing else. */
  maskOnly: boolean;
  /** Whether it is the scene behind the character, which fills the view. */
  background: boolean;
  /** 0...1. */
  opacity: number;
}

/** Masks that are written first, then pictures that are cut by them. */
export interface DrawRound {
  masks: FaceDraw[];
  pictures: FaceDraw[];
}

/**
 * The draw list as rounds of two passes, with the result of drawing in strict order.
 *
 * A mask moves ahead of the pictures of its round; a new round begins when a picture before it is
 * cut by the channel that it would change.
 */
export function planDraws(draws: readonly FaceDraw[]): DrawRound[] {
  let round: DrawRound = { masks: [], pictures: [] };
  const rounds = [round];
  let used = 0;
  for (const draw of draws) {
    if (draw.mask > 0) {
      if ((used & (1 << draw.mask)) !== 0) {
        round = { masks: [], pictures: [] };
        rounds.push(round);
        used = 0;
      }
      round.masks.push(draw);
    }
    if (!draw.maskOnly && draw.opacity > 0) {
      round.pictures.push(draw);
      if (draw.clip > 0) used |= 1 << draw.clip;
    }
  }
  return rounds;
}

/** Stands for a piece of evidence that could not be gathered, and says why. Checks that need it are not run. */
export interface NotGathered {
  notGathered: string;
}

/** The piece itself; throws with the reason when it is missing. */
export function orThrow<Piece extends object>(piece: Piece | NotGathered | null): Piece | null {
  if (piece !== null && 'notGathered' in piece) throw new Error(piece.notGathered);
  return piece;
}

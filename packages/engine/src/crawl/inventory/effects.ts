/** Effect of a request on the target: none, a change, a dangerous action, or a login. */
export const effects = ['reads', 'changes', 'endangers', 'logsIn'] as const;
export type Effect = (typeof effects)[number];

/** What a request does. Everything that cannot be undone, ends the session or reaches other people is dangerous. */
export type Deed =
  | 'reads'
  | 'creates'
  | 'changes'
  | 'deletes'
  | 'endsSession'
  | 'sends'
  | 'pays'
  /** Resets, switches, approves or runs something for all users. */
  | 'acts'
  | 'logsIn';

const EFFECTS: Readonly<Record<Deed, Effect>> = {
  reads: 'reads',
  creates: 'changes',
  changes: 'changes',
  deletes: 'endangers',
  endsSession: 'endangers',
  sends: 'endangers',
  pays: 'endangers',
  acts: 'endangers',
  logsIn: 'logsIn',
};

export interface JudgedEffect {
  deed: Deed;
  effect: Effect;
  /** What tells so, for people: `its path says "delete"`. */
  why: string;
  /** It changes a thing that exists, though no parameter names it. */
  edits?: true;
  /** It may change something, but its form seems to compute or show something only. */
  isComputing?: true;
}

/** What the inventory keeps of a judgement; the reason only where it keeps the request from being sent. */
export const factsOf = ({ effect, why, edits, isComputing }: JudgedEffect) => ({
  effect,
  ...(effect === 'endangers' && { why }),
  ...(edits && { edits }),
  ...(isComputing && { isComputing }),
});

export const judgementOf = (deed: Deed, why: string): JudgedEffect => ({ deed, effect: EFFECTS[deed], why });

/** What is known about a request before it is sent, apart from its method, URL and body. */
export interface RequestLabels {
  /** Text of the link or button, and its other labels, one per line. */
  label?: string | undefined;
  /** Names that a description gives to the operation. */
  names?: readonly string[];
  /** Sentences that describe it. */
  prose?: readonly string[];
}

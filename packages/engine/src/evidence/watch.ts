/** Observes when a collector starts and ends, without side effects on it. */
export type Watch = <Gathered>(collector: string, gathering: Promise<Gathered>) => Promise<Gathered>;

export const unwatched: Watch = (_collector, gathering) => gathering;

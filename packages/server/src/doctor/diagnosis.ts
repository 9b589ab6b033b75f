/** The result of one check of this machine. */
export interface Diagnosis {
  name: string;
  /** `warning`: the service runs, with less than it could. `failed`: it does not start, or cannot do its work. */
  state: 'ok' | 'warning' | 'failed';
  detail: string;
  /** What to do about it; null where there is nothing to do. */
  cure: string | null;
}

export const passed = (name: string, detail: string): Diagnosis => ({ name, state: 'ok', detail, cure: null });

export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

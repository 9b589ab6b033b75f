/** The result of one check of this machine. */
export interface Diagnosis {
  name: string;
  /** `warning`: the service runs with reduced functionality. `failed`: it does not start, or cannot do its work. */
  state: 'ok' | 'warning' | 'failed';
  detail: string;
  /** How to fix it; null if there is nothing to fix. */
  cure: string | null;
}

export const passed = (name: string, detail: string): Diagnosis => ({ name, state: 'ok', detail, cure: null });

export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

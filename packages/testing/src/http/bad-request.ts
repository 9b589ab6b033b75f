import fc from 'fast-check';

/** A request that is invalid in most cases. */
export interface BadRequest {
  /** The kind of defect. */
  kind: string;
  method: string;
  target: string;
  headers: Record<string, string | string[]>;
  body: Uint8Array | undefined;
  /** Whether the client sends its API key. */
  isAuthorized: boolean;
  /** Set if validation is certain to reject it: the field that the error names, or null for any field. */
  refusedField?: string | null;
}

export const anyText = fc.string({ unit: 'binary', maxLength: 40 });

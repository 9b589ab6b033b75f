import type { z } from 'zod';
import type { ErrorCode } from './errors.ts';
import type { Permission } from './permissions.ts';

/** `read` counts against the read limits of key and account, `write` against the key's limit of starts and cancels. */
export type LimitClass = 'read' | 'write';

/** An endpoint as data: authentication, limits, validation, responses and documentation follow from it. */
export interface Endpoint {
  method: 'GET' | 'POST';
  path: string;
  summary: string;
  /** Details beyond the summary, in Markdown. */
  description: string;
  /** Null if any valid key of a member may call it. */
  permission: Permission | null;
  limit: LimitClass;
  /** Whether the `Idempotency-Key` header is required. */
  idempotent: boolean;
  query: z.ZodRawShape;
  /** 'none' ignores a body, 'empty' rejects a body of any length. */
  body: z.ZodType | 'none' | 'empty';
  /** `mediaType` is set for responses other than JSON; the schema then describes their content. */
  answer: { status: 200 | 201; schema: z.ZodType; mediaType?: string };
  /** Error codes of the endpoint's own rules, without those that every endpoint may return. */
  errors: readonly ErrorCode[];
}

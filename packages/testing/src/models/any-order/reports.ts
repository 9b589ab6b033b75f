import { reservedOf, settle } from './credits.ts';
import { type Model, runOf } from './model.ts';

/** The result of a review command: the state of the report, or the error code. */
export type ReviewAnswer = { state: string; reviewer: string | null; changed?: boolean } | { code: string };

const NONE = { code: 'NOT_FOUND' };
const REFUSED = { code: 'FORBIDDEN' };

/** Only completed runs of a level with expert review have a report. */
const reportOf = (model: Model, id: string) => runOf(model, id).report;

interface Taking {
  reviewer: string;
  isForced: boolean;
}

export function takeReportInModel(model: Model, id: string, { reviewer, isForced }: Taking): ReviewAnswer {
  const report = reportOf(model, id);
  if (!report) return NONE;
  if (report.state === 'REJECTED' || report.state === 'SIGNED_OFF') return REFUSED;
  if (report.reviewer !== null && report.reviewer !== reviewer && !isForced) return REFUSED;
  Object.assign(report, { state: 'TAKEN', reviewer });
  return { ...report };
}

/** Without a reviewer, the command acts for the reviewer who has taken the report. */
const isWith = ({ state, reviewer }: { state: string; reviewer: string | null }, acting: string | undefined) =>
  state === 'TAKEN' && (acting === undefined || acting === reviewer);

/** Final; charges the whole review share. */
export function signOffInModel(model: Model, id: string, acting: string | undefined): ReviewAnswer {
  const report = reportOf(model, id);
  if (!report) return NONE;
  if (report.state === 'SIGNED_OFF') return { ...report, changed: false };
  if (!isWith(report, acting)) return REFUSED;
  report.state = 'SIGNED_OFF';
  const { review } = runOf(model, id);
  settle(model.grants, model.now, review, reservedOf(review));
  return { ...report, changed: true };
}

/** The review share stays held. */
export function rejectInModel(model: Model, id: string, acting: string | undefined): ReviewAnswer {
  const report = reportOf(model, id);
  if (!report) return NONE;
  if (!isWith(report, acting)) return REFUSED;
  report.state = 'REJECTED';
  return { ...report };
}

export function reopenInModel(model: Model, id: string): ReviewAnswer {
  const report = reportOf(model, id);
  if (!report) return NONE;
  if (report.state !== 'REJECTED') return REFUSED;
  Object.assign(report, { state: 'WAITING', reviewer: null });
  return { ...report };
}

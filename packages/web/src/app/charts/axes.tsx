import type { ReactNode } from 'react';
import { formatNumber } from '../look/format.ts';
import { everyNth } from './scale.ts';

/** The drawing's own units; it is as wide as its place. */
export const box = { width: 520, height: 200, left: 44, right: 8, top: 8, bottom: 24 } as const;
export const plot = { width: box.width - box.left - box.right, height: box.height - box.top - box.bottom } as const;

const MOST_LABELS = 6;

export const yOf = (value: number, top: number): number => box.top + plot.height * (1 - value / top);
/** The middle of the place of a point or a bar. */
export const xOf = (index: number, count: number): number => box.left + (plot.width * (index + 0.5)) / count;

interface AxesProps {
  top: number;
  labels: readonly string[];
}

/** Three lines with their values, and the labels below. */
export function Axes({ top, labels }: AxesProps): ReactNode {
  const nth = everyNth(labels.length, MOST_LABELS);
  // By their places: two labels may be the same.
  const shown = labels
    .map((label, index) => ({ label, index, x: xOf(index, labels.length) }))
    .filter(({ index }) => (labels.length - 1 - index) % nth === 0);
  return (
    <g className="axes">
      {[0, top / 2, top].map((value) => (
        <g key={value}>
          <line x1={box.left} x2={box.width - box.right} y1={yOf(value, top)} y2={yOf(value, top)} />
          <text x={box.left - 6} y={yOf(value, top) + 4} textAnchor="end">
            {formatNumber(value)}
          </text>
        </g>
      ))}
      {shown.map(({ label, x }) => (
        <text key={x} x={x} y={box.height - 6} textAnchor="middle">
          {label}
        </text>
      ))}
    </g>
  );
}

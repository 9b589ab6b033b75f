import type { ReactNode } from 'react';
import { Axes, box, xOf, yOf } from './axes.tsx';
import { type Layer, Legend } from './stacked-bars.tsx';

interface LinesProps {
  label: string;
  labels: readonly string[];
  top: number;
  lines: readonly (Omit<Layer, 'values'> & { values: readonly (number | null)[] })[];
}

/** A line for each series; where it has no value, it goes on to the next one. */
export function Lines({ label, labels, top, lines }: LinesProps): ReactNode {
  return (
    <>
      <svg className="chart" viewBox={`0 0 ${box.width} ${box.height}`} role="img" aria-label={label}>
        <Axes top={top} labels={labels} />
        {lines.map(({ name, color, values }) => {
          const points = values.flatMap((value, index) =>
            value === null ? [] : [{ x: xOf(index, labels.length), y: yOf(value, top), value, at: labels[index] }],
          );
          return (
            <g key={name}>
              <polyline points={points.map(({ x, y }) => `${x},${y}`).join(' ')} fill="none" stroke={color} />
              {points.map(({ x, y, value, at }) => (
                <circle key={x} cx={x} cy={y} r={3.5} fill={color}>
                  <title>{`${name}, ${at}: ${value}`}</title>
                </circle>
              ))}
            </g>
          );
        })}
      </svg>
      {lines.length > 1 && <Legend layers={lines} />}
    </>
  );
}

import type { ReactNode } from 'react';
import { Axes, box, plot, xOf, yOf } from './axes.tsx';
import { roundTop } from './scale.ts';

export interface Layer {
  name: string;
  /** A CSS color. */
  color: string;
  values: readonly number[];
}

interface StackedBarsProps {
  /** What the chart shows, for people who do not see it. */
  label: string;
  labels: readonly string[];
  /** From the bottom up. */
  layers: readonly Layer[];
}

export function StackedBars({ label, labels, layers }: StackedBarsProps): ReactNode {
  const totals = labels.map((_, index) => layers.reduce((sum, { values }) => sum + (values[index] ?? 0), 0));
  const top = roundTop(Math.max(0, ...totals));
  const width = Math.min(36, (plot.width / labels.length) * 0.7);
  return (
    <>
      <svg className="chart" viewBox={`0 0 ${box.width} ${box.height}`} role="img" aria-label={label}>
        <Axes top={top} labels={labels} />
        {labels.map((name, index) => {
          let below = 0;
          return (
            <g key={name}>
              {layers.map(({ name: layer, color, values }) => {
                const value = values[index] ?? 0;
                below += value;
                return value === 0 ? null : (
                  <rect
                    key={layer}
                    x={xOf(index, labels.length) - width / 2}
                    y={yOf(below, top)}
                    width={width}
                    height={Math.max(1, (value / top) * plot.height)}
                    fill={color}
                  >
                    <title>{`${name}: ${value} ${layer}`}</title>
                  </rect>
                );
              })}
            </g>
          );
        })}
      </svg>
      {layers.length > 1 && <Legend layers={layers} />}
    </>
  );
}

export function Legend({ layers }: { layers: readonly Pick<Layer, 'name' | 'color'>[] }): ReactNode {
  return (
    <ul className="legend">
      {layers.map(({ name, color }) => (
        <li key={name}>
          <svg width="10" height="10" aria-hidden="true">
            <rect width="10" height="10" rx="2" fill={color} />
          </svg>
          {name}
        </li>
      ))}
    </ul>
  );
}

import { Counter, collectDefaultMetrics, Histogram, Registry } from '@platformatic/prom-client';

export interface Metrics {
  requestAnswered(method: string, route: string, status: number, seconds: number): void;
  edgeRefused(status: number): void;
  text(): Promise<string>;
  contentType: string;
}

/** Creates the metrics of the service for Prometheus. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const durations = new Histogram({
    name: 'sortie_http_request_seconds',
    help: 'Completed API requests, and the time from the first byte of the request to the end of the response',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers: [registry],
  });
  const refusals = new Counter({
    name: 'sortie_edge_refusals_total',
    help: 'Requests refused before they reached the API',
    labelNames: ['status'],
    registers: [registry],
  });
  return {
    requestAnswered(method, route, status, seconds) {
      durations.observe({ method, route, status }, seconds);
    },
    edgeRefused: (status) => refusals.inc({ status }),
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

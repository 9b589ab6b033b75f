interface Waiting<Input, Output> {
  input: Input;
  resolve(output: Output): void;
  reject(error: unknown): void;
}

/**
 * Combines concurrent calls into one statement. A single call is sent at once; while a statement is in progress, later
 * calls are queued and share the next one. The fixed cost of a statement dominates the cost of a small read, so the
 * cost per call decreases under load. `answerAll` gets the inputs in call order, and must return the outputs in the
 * same order.
 */
export function batched<Input, Output>(
  answerAll: (inputs: Input[]) => Promise<Output[]>,
): (input: Input) => Promise<Output> {
  let waiting: Waiting<Input, Output>[] = [];
  let isUnderWay = false;

  async function send(batch: Waiting<Input, Output>[]): Promise<void> {
    isUnderWay = true;
    try {
      const outputs = await answerAll(batch.map(({ input }) => input));
      for (const [index, call] of batch.entries()) call.resolve(outputs[index] as Output);
    } catch (error) {
      for (const call of batch) call.reject(error);
    }
    isUnderWay = false;
    flush();
  }

  function flush(): void {
    if (waiting.length === 0 || isUnderWay) return;
    const batch = waiting;
    waiting = [];
    void send(batch);
  }

  return (input) =>
    new Promise((resolve, reject) => {
      waiting.push({ input, resolve, reject });
      // Calls made in the same turn of the event loop share a statement.
      if (waiting.length === 1) setImmediate(flush);
    });
}

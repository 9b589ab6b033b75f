/** While this many statements are under way, later calls gather and share the next one. */
const MAX_UNDER_WAY = 2;

interface Waiting<Input, Output> {
  input: Input;
  resolve(output: Output): void;
  reject(error: unknown): void;
}

/**
 * Makes one statement answer all calls that wait at the same moment. Alone, a call is sent at once; under load, the
 * cost of a round trip is shared, which is most of the cost of a small read. `answerAll` gets the inputs in the order
 * of the calls and answers in the same order.
 */
export function batched<Input, Output>(
  answerAll: (inputs: Input[]) => Promise<Output[]>,
): (input: Input) => Promise<Output> {
  let waiting: Waiting<Input, Output>[] = [];
  let underWay = 0;

  async function send(batch: Waiting<Input, Output>[]): Promise<void> {
    underWay++;
    try {
      const outputs = await answerAll(batch.map(({ input }) => input));
      for (const [index, call] of batch.entries()) call.resolve(outputs[index] as Output);
    } catch (error) {
      for (const call of batch) call.reject(error);
    } finally {
      underWay--;
      flush();
    }
  }

  function flush(): void {
    if (waiting.length === 0 || underWay >= MAX_UNDER_WAY) return;
    const batch = waiting;
    waiting = [];
    void send(batch);
  }

  return (input) =>
    new Promise((resolve, reject) => {
      waiting.push({ input, resolve, reject });
      // Calls made in the same turn of the event loop go together.
      if (waiting.length === 1) setImmediate(flush);
    });
}

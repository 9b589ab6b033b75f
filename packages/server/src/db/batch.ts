interface Waiting<Input, Output> {
  input: Input;
  resolve(output: Output): void;
  reject(error: unknown): void;
}

/**
 * Makes one statement answer all calls that wait at the same moment. Alone, a call is sent at once; while a statement
 * is under way, later calls gather and share the next one. So the busier the service is, the less a call costs: the
 * fixed cost of a statement is most of the cost of a small read. `answerAll` gets the inputs in the order of the calls
 * and answers in the same order.
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
      // Calls made in the same turn of the event loop go together.
      if (waiting.length === 1) setImmediate(flush);
    });
}

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { shows } from './computed.ts';

const answer = (text: string) => ({ response: { status: 200, headers: [], body: Buffer.from(text), isCut: false } });

describe('what a response shows', () => {
  it('is found in plain text and where the target escapes it', () => {
    assert.ok(shows(answer('root:x:0:0:root'), /^root:x:0:0:/m));
    assert.ok(shows(answer('Content:\nroot&#x3a;x&#x3a;0&#x3a;0&#x3a;root'), /^root:x:0:0:/m));
    assert.ok(shows(answer('near &quot;tea&#39;s&quot;: syntax'), 'near "tea\'s": syntax'));
    assert.ok(shows(answer('&lt;b&gt; &#58;'), ':'));
  });

  it('is not found in references that decode to something else, or to nothing', () => {
    assert.ok(!shows(answer('root&#x3b;x&#x3a;0'), 'root:x'));
    assert.ok(!shows(answer('&#9999999;'), ':'));
    assert.ok(!shows(undefined, 'x'));
  });
});

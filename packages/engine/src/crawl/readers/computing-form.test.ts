import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isComputing } from './computing-form.ts';
import { itemOfForm } from './form-item.ts';
import { readPage } from './read-page.ts';

function formIn(html: string) {
  const [form] = readPage(html, 'http://shop.test/tools').forms;
  return form ?? assert.fail('the page has no form');
}

describe('a posted form', () => {
  for (const html of [
    '<h2>Ping a host</h2><form method=post><input name=host><button>Submit</button></form>',
    '<form method=post action=/unit><input name=amount type=number><input type=submit value=Convert></form>',
    '<form method=post action=/signin-test><input name=hours><button>Convert</button></form>',
    '<form method=post id=f1><select name=page><option>intro</select><button>Show</button></form>',
  ]) {
    it(`computes or shows something: ${html}`, () => assert.equal(itemOfForm(formIn(html), null).isComputing, true));
  }

  for (const html of [
    '<h2>Leave a comment</h2><form method=post><input name=c><button>Submit</button></form>',
    '<form method=post action=/orders><input name=c><button>Go</button></form>',
    '<form method=post><textarea name=c></textarea><button>Submit</button></form>',
    '<form method=post><input name=message><button>Submit</button></form>',
    '<form method=post><input name=c><button>Senden</button></form>',
    '<form method=post><input name=c type=email><button>Check</button></form>',
    '<h2>Poll of the week</h2><form method=post><input name=c><button>Submit</button></form>',
    '<form method=post action=/placeBid><input name=c><button>Submit</button></form>',
    '<h2>Sign the petition</h2><form method=post><input name=c><button>Submit</button></form>',
    '<h2>Hours of this week</h2><form method=post><input name=c><button>Submit</button></form>',
    '<form method=post><input name=myScore type=number><button>Submit</button></form>',
    '<form method=get><input name=c><button>Show</button></form>',
  ]) {
    it(`may store or send something, or is no POST: ${html}`, () => assert.equal(isComputing(formIn(html)), false));
  }
});

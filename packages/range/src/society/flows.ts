import { type Routes, redirect } from '../answer.ts';
import { createShelf } from '../services.ts';
import { button, forMembers, partsOf, refused, room, type Society } from './society.ts';

const MOST = 2_000;
const CARD = 100;
const FARE = 30;
const FEE = 20;

interface Flow {
  member: string;
  balance: number;
  done: Set<string>;
}

/** Starts a flow with a card of its own, so that no flow takes from another one. */
function flows(path: string) {
  const shelf = createShelf<Flow>(MOST);
  const start: Routes = {
    [`POST ${path}`]: forMembers((_visit, member) =>
      redirect(`${path}/${shelf.put({ member, balance: CARD, done: new Set() })}`),
    ),
  };
  return { start, of: (id: string, member: string) => (shelf.get(id)?.member === member ? shelf.get(id) : undefined) };
}

export function voyageRoutes({ path: home, isSafe }: Society): Routes {
  const path = `${home}/voyages`;
  const { start, of } = flows(path);
  return {
    ...start,
    [`GET ${path}`]: forMembers(() =>
      room('Voyages', `<p>A trip around the island.</p>${button(path, 'Book a trip')}`),
    ),
    [`GET ${path}/*`]: forMembers((visit, member) => {
      const [id, action] = partsOf(visit);
      const flow = of(id, member);
      if (!flow) return refused('This is not your voyage.');
      const { balance, done } = flow;
      if (action === 'ticket' && done.has('ticket')) {
        return room('Ticket', `<p>Your ticket is issued. On your card: ${balance}</p>`);
      }
      if (done.has('settled'))
        return room('Voyage', `<p>Settled.</p>${button(`${path}/${id}/ticket`, 'Issue the ticket')}`);
      const content = `<p>To settle: ${FARE}</p><p>On your card: ${balance}</p>`;
      return room('Voyage', `${content}${button(`${path}/${id}/settle`, 'Settle')}`);
    }),
    [`POST ${path}/*`]: forMembers((visit, member) => {
      const [id, action] = partsOf(visit);
      const flow = of(id, member);
      if (!flow) return refused('This is not your voyage.');
      if (action === 'settle' && !flow.done.has('settled')) {
        flow.done.add('settled');
        flow.balance -= FARE;
        return redirect(`${path}/${id}`);
      }
      // The flaw: nobody looks whether it is settled.
      if (action !== 'ticket' || (isSafe && !flow.done.has('settled'))) return refused('Settle it first.', 409);
      flow.done.add('ticket');
      return redirect(`${path}/${id}/ticket`);
    }),
  };
}

export function tableRoutes({ path: home, isSafe }: Society): Routes {
  const path = `${home}/tables`;
  const { start, of } = flows(path);
  return {
    ...start,
    [`GET ${path}`]: forMembers(() => room('Tables', `<p>Tables by the window.</p>${button(path, 'Choose a table')}`)),
    [`GET ${path}/*`]: forMembers((visit, member) => {
      const [id, action] = partsOf(visit);
      const flow = of(id, member);
      if (!flow) return refused('This is not your table.');
      const { balance, done } = flow;
      if (action === 'card' && done.has('seat'))
        return room('Seated', `<p>Your table is ready. Credit: ${balance}</p>`);
      const hold = button(`${path}/${id}/hold`, 'Hold the table');
      const others = `${button(`${path}/${id}/seat`, 'Take the seat')}${button(`${path}/${id}/cancel`, 'Cancel')}`;
      return room('Table', `<p>Fee: ${FEE}</p><p>Credit: ${balance}</p>${done.has('hold') ? others : hold}`);
    }),
    [`POST ${path}/*`]: forMembers((visit, member) => {
      const [id, action] = partsOf(visit);
      const flow = of(id, member);
      if (!flow) return refused('This is not your table.');
      const { done } = flow;
      if (action === 'hold' && !done.has('hold')) {
        done.add('hold');
        flow.balance -= FEE;
        return redirect(`${path}/${id}`);
      }
      if (action === 'cancel' && done.has('hold') && !done.has('cancelled') && !done.has('seat')) {
        done.add('cancelled');
        flow.balance += FEE;
        return redirect(`${path}/${id}`);
      }
      // The flaw: a table that was held once counts as held, also after it was cancelled.
      const isHeld = done.has('hold') && !(isSafe && done.has('cancelled'));
      if (action !== 'seat' || !isHeld) return refused('Hold it first.', 409);
      done.add('seat');
      return redirect(`${path}/${id}/card`);
    }),
  };
}

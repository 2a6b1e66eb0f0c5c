/**
 * The order of the line as one typed expression. Names stand for stages; the compiler checks that each takes what
 * the one before it gives, and the same expression is printed by `GET /api/plugins`.
 */

import type { Settling } from '../../contract/line/delivery.js'
import type { Attempt, Opened, Received } from '../../contract/line/record.js'
import type { RecordAfter, RecordBefore } from '../../contract/line/stages.js'
import type { StageName } from '../../contract/names.js'

type Takes<N extends StageName, State> = State extends RecordBefore<N> ? N : never

/** The finished order, ready to be bound to the stages themselves. */
export interface LineOrder {
  readonly plan: readonly [StageName, StageName]
  readonly attempt: readonly [StageName, StageName, StageName, StageName, StageName]
  readonly deliver: 'deliver'
  readonly settle: StageName
}

/** Starts the order: the stages that run once, before any channel is chosen. */
export function line<A extends StageName, B extends StageName>(
  first: Takes<A, Received>,
  second: Takes<B, RecordAfter<A>>,
) {
  return {
    /** The stages that run again for each channel tried; the loop hands each round the planned record. */
    attempt<
      C extends StageName,
      D extends StageName,
      E extends StageName,
      F extends StageName,
      G extends StageName,
    >(
      c: Takes<C, Attempt>,
      d: Takes<D, RecordAfter<C>>,
      e: Takes<E, RecordAfter<D>>,
      f: Takes<F, RecordAfter<E>>,
      g: RecordAfter<G> extends Opened ? Takes<G, RecordAfter<F>> : never,
    ) {
      return {
        /** Where the opened reply goes to the client. */
        deliver: () => ({
          /** Reached by every request that got past the plan, whatever became of it. */
          always: <S extends StageName>(settle: Takes<S, Settling>): LineOrder => ({
            plan: [first, second],
            attempt: [c, d, e, f, g],
            deliver: 'deliver',
            settle,
          }),
        }),
      }
    },
  }
}

/** Stage names in the order they run. */
export function stageOrder(order: LineOrder): readonly StageName[] {
  return [...order.plan, ...order.attempt, order.settle]
}

/** The answers under way and what was exchanged for each: started, stopped, forgotten. */
import { computed, shallowReactive, shallowRef } from 'vue'
import { useSession } from '../../shell/session.js'
import { chargeOf } from './answer-charge.js'
import { type Answer, newAnswer, type Turn } from './conversation.js'
import { type Exchange, newExchange } from './exchange.js'
import { type Run, runAnswer } from './run-answer.js'

/** An answer by its turn and the column it stands in. */
export function answerKey(turnId: string, column: string): string {
  return `${turnId}/${column}`
}

interface AnswerRequest {
  readonly model: string
  readonly group: string
  readonly body: string
}

type PutAnswer = (turnId: string, column: string, answer: Answer) => void

export type Runs = ReturnType<typeof useRuns>

export function useRuns() {
  const session = useSession()
  const runs = shallowReactive(new Map<string, Run>())
  const exchanges = shallowReactive(new Map<string, Exchange>())
  /** Model of the answer that was complete last; empty while others come. */
  const answered = shallowRef('')
  const busy = computed(() => runs.size > 0)

  function start(
    turn: Turn,
    column: string,
    { model, group, body }: AnswerRequest,
    put: PutAnswer,
  ): void {
    const key = answerKey(turn.id, column)
    stop(turn.id, column)
    const exchange = newExchange(model, body)
    const answer = newAnswer(model, group)
    answered.value = ''
    exchanges.set(key, exchange)
    put(turn.id, column, answer)
    let last = answer
    const show = (next: Answer) => {
      // One that was started anew no longer speaks for this place.
      if (exchanges.get(key) !== exchange) return
      last = next
      put(turn.id, column, next)
      if (next.state === 'done') answered.value = model
    }
    const run = runAnswer({ answer, exchange, put: show })
    runs.set(key, run)
    void run.done.then(async () => {
      ended(key, run, exchange)
      const charge = await chargeOf(last)
      if (charge !== undefined) show({ ...last, charge })
    })
  }

  function ended(key: string, run: Run, exchange: Exchange): void {
    if (runs.get(key) === run) runs.delete(key)
    // Reading who is signed in leads to the login page where nobody is.
    if (exchange.status === 401) void session.read().catch(() => undefined)
  }

  function stop(turnId: string, column: string): void {
    runs.get(answerKey(turnId, column))?.stop()
  }

  function stopAll(): void {
    for (const run of runs.values()) run.stop()
  }

  /** Stops what comes in columns that are no more. */
  function keepColumns(kept: readonly string[]): void {
    for (const [key, run] of runs) {
      if (!kept.some((column) => key.endsWith(`/${column}`))) run.stop()
    }
  }

  function forget(turns: readonly Turn[]): void {
    for (const { id, answers } of turns) {
      for (const column of Object.keys(answers)) {
        stop(id, column)
        exchanges.delete(answerKey(id, column))
      }
    }
  }

  return { exchanges, answered, busy, start, stop, stopAll, keepColumns, forget }
}

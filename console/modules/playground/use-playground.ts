/** The conversation and what can be done with it: ask, stop, ask again, change, delete. */
import { computed, onUnmounted, type Ref, shallowReactive, shallowRef, watch } from 'vue'
import { drawnKey } from '../../api/drawn-key.js'
import { useSession } from '../../shell/session.js'
import { messagesOf, newAnswer, type Picture, type Turn } from './conversation.js'
import { type Exchange, newExchange } from './exchange.js'
import { lastWords, modelIn, objectIn, requestBody } from './request-body.js'
import { type Run, runAnswer } from './run-answer.js'
import type { Settings } from './settings.js'
import { useTurns } from './use-turns.js'

/** The column of a request written by hand. */
export const handColumn = 'hand'

export function answerKey(turnId: string, column: string): string {
  return `${turnId}/${column}`
}

export type Playground = ReturnType<typeof usePlayground>

export function usePlayground(settings: Readonly<Ref<Settings>>) {
  const session = useSession()
  const runs = shallowReactive(new Map<string, Run>())
  const exchanges = shallowReactive(new Map<string, Exchange>())
  /** Whose exchange the raw tabs show. */
  const chosen = shallowRef('')
  /** Model of the answer that was complete last; empty while others come. */
  const answered = shallowRef('')
  const busy = computed(() => runs.size > 0)
  const { turns, set, putAnswer } = useTurns(session.self?.id ?? 0, () => busy.value)

  function start(turn: Turn, column: string, model: string, body: string): void {
    const key = answerKey(turn.id, column)
    stop(turn.id, column)
    const exchange = newExchange(model, body)
    const group = settings.value.group
    const answer = newAnswer(model, group)
    answered.value = ''
    exchanges.set(key, exchange)
    putAnswer(turn.id, column, answer)
    const run = runAnswer({
      answer,
      exchange,
      put: (next) => {
        // One that was started anew no longer speaks for this place.
        if (exchanges.get(key) !== exchange) return
        putAnswer(turn.id, column, next)
        if (next.state === 'done') answered.value = model
      },
    })
    runs.set(key, run)
    void run.done.then(() => ended(key, run, exchange))
  }

  function ended(key: string, run: Run, exchange: Exchange): void {
    if (runs.get(key) === run) runs.delete(key)
    // Reading who is signed in leads to the login page where nobody is.
    if (exchange.status === 401) void session.read().catch(() => undefined)
  }

  function ask(turn: Turn, column: string, model: string): void {
    const until = turns.value.slice(0, turns.value.findIndex(({ id }) => id === turn.id) + 1)
    const messages = messagesOf(until, column, settings.value.system)
    start(turn, column, model, JSON.stringify(requestBody(settings.value, model, messages)))
  }

  function begin(before: readonly Turn[], text: string, pictures: readonly Picture[]): void {
    const turn: Turn = { id: drawnKey(), text, pictures, answers: {} }
    set([...before, turn])
    for (const { id, model } of settings.value.columns) ask(turn, id, model)
    chosen.value = answerKey(turn.id, settings.value.columns[0]!.id)
  }

  /** Sends a body as it was written. */
  function sendBody(body: string): void {
    const turn: Turn = { id: drawnKey(), text: lastWords(body), pictures: [], answers: {} }
    set([...turns.value, turn])
    start(turn, handColumn, modelIn(body), body)
    chosen.value = answerKey(turn.id, handColumn)
  }

  function retry(turn: Turn, column: string): void {
    const sent = exchanges.get(answerKey(turn.id, column))
    if (column === handColumn) {
      if (sent !== undefined) start(turn, column, sent.model, sent.body)
    } else {
      const now = settings.value.columns.find(({ id }) => id === column)?.model
      ask(turn, column, now || (turn.answers[column]?.model ?? ''))
    }
    chosen.value = answerKey(turn.id, column)
  }

  function stop(turnId: string, column: string): void {
    runs.get(answerKey(turnId, column))?.stop()
  }

  function stopAll(): void {
    for (const run of runs.values()) run.stop()
  }

  function dropAll(gone: readonly Turn[]): void {
    for (const { id, answers } of gone) {
      for (const column of Object.keys(answers)) {
        stop(id, column)
        exchanges.delete(answerKey(id, column))
      }
    }
  }

  /** Changes what was asked and goes on from there; what followed is gone. */
  function edit(turn: Turn, text: string): void {
    const at = turns.value.findIndex(({ id }) => id === turn.id)
    dropAll(turns.value.slice(at))
    begin(turns.value.slice(0, at), text, turn.pictures)
  }

  function remove(turn: Turn): void {
    dropAll([turn])
    set(turns.value.filter(({ id }) => id !== turn.id))
  }

  function clear(): void {
    dropAll(turns.value)
    set([])
    chosen.value = ''
  }

  /** Who takes a model out of the comparison wants no more of it. */
  watch(
    () => settings.value.columns,
    (columns) => {
      const kept = [handColumn, ...columns.map(({ id }) => id)]
      for (const [key, run] of runs) {
        if (!kept.some((column) => key.endsWith(`/${column}`))) run.stop()
      }
    },
  )
  onUnmounted(stopAll)

  return {
    ...{
      turns,
      busy,
      chosen,
      answered,
      exchanges,
      sendBody,
      retry,
      stop,
      stopAll,
      edit,
      remove,
      clear,
    },
    exchange: computed(() => exchanges.get(chosen.value)),
    send: (text: string, pictures: readonly Picture[]) => begin(turns.value, text, pictures),
    /** The body the next message would be sent with, of the first column. */
    preview: (text: string, pictures: readonly Picture[]) => {
      const { columns, system } = settings.value
      const { id, model } = columns[0]!
      const turn: Turn = { id: '', text, pictures, answers: {} }
      return requestBody(settings.value, model, messagesOf([...turns.value, turn], id, system))
    },
    /** A body by hand can be sent as soon as it is JSON. */
    isBody: (text: string) => objectIn(text) !== undefined,
  }
}

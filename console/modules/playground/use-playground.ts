/** The conversation and its actions: send, stop, send again, change, delete. */
import { computed, onUnmounted, type Ref, shallowRef, watch } from 'vue'
import { drawnKey } from '../../api/drawn-key.js'
import { useSession } from '../../shell/session.js'
import { messagesOf, type Picture, type Turn } from './conversation.js'
import { lastWords, modelIn, objectIn, requestBody } from './request-body.js'
import type { Settings } from './settings.js'
import { answerKey, useRuns } from './use-runs.js'
import { useTurns } from './use-turns.js'

/** The column of a request written by hand. */
export const handColumn = 'hand'

export type Playground = ReturnType<typeof usePlayground>

export function usePlayground(settings: Readonly<Ref<Settings>>) {
  const session = useSession()
  const { exchanges, answered, busy, start, stop, stopAll, keepColumns, forget } = useRuns()
  /** Whose exchange the raw tabs show. */
  const chosen = shallowRef('')
  const { turns, set, putAnswer } = useTurns(session.self?.id ?? 0, () => busy.value)

  function ask(turn: Turn, column: string, model: string): void {
    const until = turns.value.slice(0, turns.value.findIndex(({ id }) => id === turn.id) + 1)
    const messages = messagesOf(until, column, settings.value.system)
    startIn(turn, column, model, JSON.stringify(requestBody(settings.value, model, messages)))
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
    startIn(turn, handColumn, modelIn(body), body)
    chosen.value = answerKey(turn.id, handColumn)
  }

  function retry(turn: Turn, column: string): void {
    const sent = exchanges.get(answerKey(turn.id, column))
    if (column === handColumn) {
      if (sent !== undefined) startIn(turn, column, sent.model, sent.body)
    } else {
      const now = settings.value.columns.find(({ id }) => id === column)?.model
      ask(turn, column, now || (turn.answers[column]?.model ?? ''))
    }
    chosen.value = answerKey(turn.id, column)
  }

  function startIn(turn: Turn, column: string, model: string, body: string): void {
    start(turn, column, { model, group: settings.value.group, body }, putAnswer)
  }

  /** Changes a question and goes on from there; what followed is gone. */
  function edit(turn: Turn, text: string): void {
    const at = turns.value.findIndex(({ id }) => id === turn.id)
    forget(turns.value.slice(at))
    begin(turns.value.slice(0, at), text, turn.pictures)
  }

  function remove(turn: Turn): void {
    forget([turn])
    set(turns.value.filter(({ id }) => id !== turn.id))
  }

  function clear(): void {
    forget(turns.value)
    set([])
    chosen.value = ''
  }

  /** A model taken out of the comparison stops its answers. */
  watch(
    () => settings.value.columns,
    (columns) => keepColumns([handColumn, ...columns.map(({ id }) => id)]),
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

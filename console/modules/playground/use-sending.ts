/** Sends questions to the models of the comparison, each by what its column has heard, and bodies written by hand. */
import { type Ref, shallowRef } from 'vue'
import { drawnKey } from '../../api/drawn-key.js'
import { messagesOf, type Picture, type Turn } from './conversation.js'
import { lastWords, modelIn, requestBody } from './request-body.js'
import type { Settings } from './settings.js'
import type { Turns } from './use-conversations.js'
import { answerKey, type Runs } from './use-runs.js'

/** The column of a request written by hand. */
export const handColumn = 'hand'

interface SendingDependencies {
  readonly settings: Readonly<Ref<Settings>>
  readonly conversation: Turns
  readonly runs: Pick<Runs, 'exchanges' | 'start'>
}

export function useSending({ settings, conversation, runs }: SendingDependencies) {
  const { turns, set, putAnswer } = conversation
  /** Whose exchange the raw tabs show. */
  const chosen = shallowRef('')

  function ask(turn: Turn, column: string, model: string): void {
    const until = turns.value.slice(0, turns.value.findIndex(({ id }) => id === turn.id) + 1)
    const messages = messagesOf(until, column, settings.value.system)
    startIn(turn, column, model, JSON.stringify(requestBody(settings.value, model, messages)))
  }

  function startIn(turn: Turn, column: string, model: string, body: string): void {
    runs.start(turn, column, { model, group: settings.value.group, body }, putAnswer)
  }

  /** The next question after these turns. */
  function sendAfter(before: readonly Turn[], text: string, pictures: readonly Picture[]): void {
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
    const sent = runs.exchanges.get(answerKey(turn.id, column))
    if (column === handColumn) {
      if (sent !== undefined) startIn(turn, column, sent.model, sent.body)
    } else {
      const now = settings.value.columns.find(({ id }) => id === column)?.model
      ask(turn, column, now || (turn.answers[column]?.model ?? ''))
    }
    chosen.value = answerKey(turn.id, column)
  }

  /** The body the next message would be sent with, of the first column. */
  function preview(text: string, pictures: readonly Picture[]) {
    const { columns, system } = settings.value
    const { id, model } = columns[0]!
    const turn: Turn = { id: '', text, pictures, answers: {} }
    return requestBody(settings.value, model, messagesOf([...turns.value, turn], id, system))
  }

  return { chosen, sendAfter, sendBody, retry, preview }
}

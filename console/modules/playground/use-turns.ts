/** The turns of the conversation, kept in this browser whenever nothing runs, and when the page goes away. */
import { onMounted, onUnmounted, type Ref, shallowRef, watch } from 'vue'
import { recallJson, remember } from '../../shell/remembered.js'
import type { Answer, Turn } from './conversation.js'
import { readTurns, storedText } from './stored-conversation.js'

export interface Turns {
  readonly turns: Readonly<Ref<readonly Turn[]>>
  set(turns: readonly Turn[]): void
  /** Puts the answer of one column into its turn, if it is still there. */
  putAnswer(turnId: string, column: string, answer: Answer): void
}

const restMs = 400

export function useTurns(person: number, busy: () => boolean): Turns {
  const place = `playground.conversation.${person}`
  const turns = shallowRef(readTurns(recallJson(place)))
  let waiting: ReturnType<typeof setTimeout> | undefined

  function keep(): void {
    clearTimeout(waiting)
    waiting = undefined
    remember(place, storedText(turns.value))
  }

  function keepSoon(): void {
    clearTimeout(waiting)
    if (!busy()) waiting = setTimeout(keep, restMs)
  }

  function keepNow(): void {
    if (waiting !== undefined || busy()) keep()
  }

  watch([turns, busy], keepSoon)
  onMounted(() => addEventListener('pagehide', keepNow))
  onUnmounted(() => {
    removeEventListener('pagehide', keepNow)
    keepNow()
  })

  return {
    turns,
    set(next) {
      turns.value = next
    },
    putAnswer(turnId, column, answer) {
      turns.value = turns.value.map((turn) =>
        turn.id === turnId ? { ...turn, answers: { ...turn.answers, [column]: answer } } : turn,
      )
    },
  }
}

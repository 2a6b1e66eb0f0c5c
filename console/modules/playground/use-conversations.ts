/** The open conversation and the others this browser keeps: written whenever nothing runs, and when the page goes away. */
import { onMounted, onUnmounted, type Ref, shallowRef, watch } from 'vue'
import { drawnKey } from '../../api/drawn-key.js'
import { recall, remember } from '../../shell/remembered.js'
import type { Answer, Turn } from './conversation.js'
import { type KeptConversation, KeptConversations } from './kept-conversations.js'

export interface Turns {
  readonly turns: Readonly<Ref<readonly Turn[]>>
  set(turns: readonly Turn[]): void
  /** Puts the answer of one column into its turn, if it is still there. */
  putAnswer(turnId: string, column: string, answer: Answer): void
}

export interface Conversations extends Turns {
  readonly openId: Readonly<Ref<string>>
  /** The newest first. */
  readonly kept: Readonly<Ref<readonly KeptConversation[]>>
  open(id: string): void
  /** Keeps now what waits to be kept. */
  keepNow(): void
  /** A new one, without turns. */
  begin(): void
  rename(id: string, name: string): void
  remove(id: string): void
}

const restMs = 400

export function useConversations(person: number, busy: () => boolean): Conversations {
  const store = new KeptConversations(person)
  const kept = shallowRef(store.list())
  const openPlace = `playground.open.${person}`
  const openId = shallowRef(recall(openPlace) ?? kept.value[0]?.id ?? drawnKey())
  const turns = shallowRef(store.turnsOf(openId.value))
  let waiting: ReturnType<typeof setTimeout> | undefined

  function keep(): void {
    clearTimeout(waiting)
    waiting = undefined
    store.keep(openId.value, turns.value)
    kept.value = store.list()
  }

  function keepSoon(): void {
    clearTimeout(waiting)
    if (!busy()) waiting = setTimeout(keep, restMs)
  }

  function keepNow(): void {
    if (waiting !== undefined || busy()) keep()
  }

  function show(id: string, next: readonly Turn[]): void {
    openId.value = id
    remember(openPlace, id)
    turns.value = next
    clearTimeout(waiting)
    waiting = undefined
  }

  watch([turns, busy], keepSoon, { flush: 'sync' })
  onMounted(() => addEventListener('pagehide', keepNow))
  onUnmounted(() => {
    removeEventListener('pagehide', keepNow)
    keepNow()
  })

  return {
    ...{ turns, openId, kept, keepNow },
    set(next) {
      turns.value = next
    },
    putAnswer(turnId, column, answer) {
      if (turns.value.every(({ id }) => id !== turnId)) return
      turns.value = turns.value.map((turn) =>
        turn.id === turnId ? { ...turn, answers: { ...turn.answers, [column]: answer } } : turn,
      )
    },
    open(id) {
      keepNow()
      show(id, store.turnsOf(id))
    },
    begin() {
      keepNow()
      show(drawnKey(), [])
    },
    rename(id, name) {
      store.rename(id, name)
      kept.value = store.list()
    },
    remove(id) {
      if (id === openId.value) show(drawnKey(), [])
      store.remove(id)
      kept.value = store.list()
    },
  }
}

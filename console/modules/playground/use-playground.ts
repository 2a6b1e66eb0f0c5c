/** The open conversation and its actions: send, stop, send again, change, delete; and the way to the others. */
import { computed, onUnmounted, type Ref, watch } from 'vue'
import { useSession } from '../../shell/session.js'
import type { Picture, Turn } from './conversation.js'
import { objectIn } from './request-body.js'
import type { Settings } from './settings.js'
import { useConversations } from './use-conversations.js'
import { useRuns } from './use-runs.js'
import { handColumn, useSending } from './use-sending.js'

export type Playground = ReturnType<typeof usePlayground>

export function usePlayground(settings: Readonly<Ref<Settings>>) {
  const session = useSession()
  const runs = useRuns()
  const { exchanges, answered, busy, stop, stopAll, keepColumns, forget } = runs
  const conversation = useConversations(session.self?.id ?? 0, () => busy.value)
  const { turns, set, openId, kept, keepNow, rename } = conversation
  const { chosen, sendAfter, ...sending } = useSending({ settings, conversation, runs })

  /** Changes a question and goes on from there; what followed is gone. */
  function edit(turn: Turn, text: string): void {
    const at = turns.value.findIndex(({ id }) => id === turn.id)
    forget(turns.value.slice(at))
    sendAfter(turns.value.slice(0, at), text, turn.pictures)
  }

  function remove(turn: Turn): void {
    forget([turn])
    set(turns.value.filter(({ id }) => id !== turn.id))
  }

  /** Ends what is under way, and goes to another conversation. */
  function leave(go: () => void): void {
    stopAll()
    go()
    chosen.value = ''
  }

  const conversations = {
    ...{ openId, kept, keepNow, rename },
    open: (id: string) => leave(() => conversation.open(id)),
    begin: () => leave(conversation.begin),
    remove(id: string): void {
      if (id === openId.value) leave(() => conversation.remove(id))
      else conversation.remove(id)
    },
  }

  /** A model taken out of the comparison stops its answers. */
  watch(
    () => settings.value.columns,
    (columns) => keepColumns([handColumn, ...columns.map(({ id }) => id)]),
  )
  onUnmounted(stopAll)

  return {
    ...{ turns, busy, chosen, answered, exchanges, stop, stopAll, edit, remove },
    conversations,
    ...sending,
    exchange: computed(() => exchanges.get(chosen.value)),
    send: (text: string, pictures: readonly Picture[]) => sendAfter(turns.value, text, pictures),
    /** A body by hand can be sent as soon as it is JSON. */
    isBody: (text: string) => objectIn(text) !== undefined,
  }
}

/** What the menus of rows do: at once, after a question, or by opening a dialog. */
import { useQueryClient } from '@tanstack/vue-query'
import { ref } from 'vue'
import { useI18n } from 'vue-i18n'
import { useRouter } from 'vue-router'
import { resetBreakers } from '../../../api/breakers.js'
import { updateBalance } from '../../../api/channel-tests.js'
import { type Channel, copyChannel, deleteChannel, switchTag } from '../../../api/channels.js'
import { useConfirm } from '../../../ui/use-confirm.js'
import type { RowAction } from './row-action.js'
import type { TagAction } from './tag-action.js'

export function useRowActions(showTag: (tag: string) => void) {
  const { t } = useI18n()
  const router = useRouter()
  const queryClient = useQueryClient()
  const { ask, attempt } = useConfirm()
  /** Channels whose dialogs are open. */
  const testing = ref<Channel>()
  const updating = ref<Channel>()
  const changingTag = ref<string>()

  async function changed(): Promise<void> {
    await Promise.all([
      queryClient.invalidateQueries({ queryKey: ['channels'] }),
      queryClient.invalidateQueries({ queryKey: ['channel-health'] }),
    ])
  }

  async function tried(work: () => Promise<unknown>, done: string): Promise<void> {
    if (await attempt(work, done)) await changed()
  }

  function remove({ id, name, channel_info }: Channel): void {
    const keys = channel_info.is_multi_key ? channel_info.multi_key_size : 1
    ask({
      title: t('channels.remove.title', { name }),
      text: t('channels.remove.text', { id, keys }, keys),
      verb: t('shell.remove'),
      done: t('channels.remove.done', { name }),
      async run() {
        await deleteChannel(id)
        await changed()
      },
    })
  }

  function run(action: RowAction, channel: Channel): void {
    const { id, name } = channel
    const works: Readonly<Record<RowAction, () => unknown>> = {
      edit: () => router.push({ name: 'channels.edit', params: { id } }),
      copy: () => tried(() => copyChannel(id), t('channels.actions.copied', { name })),
      test: () => {
        testing.value = channel
      },
      updates: () => {
        updating.value = channel
      },
      balance: () => tried(() => updateBalance(id), t('channels.actions.balanceRead', { name })),
      reset: () => tried(() => resetBreakers(id), t('channels.actions.resetDone', { name })),
      remove: () => remove(channel),
    }
    works[action]()
  }

  function runTag(action: TagAction, tag: string): void {
    if (action === 'change') {
      changingTag.value = tag
      return
    }
    if (action === 'alone') {
      showTag(tag)
      return
    }
    const done = action === 'enable' ? 'channels.tags.enabled' : 'channels.tags.disabled'
    void tried(() => switchTag(tag, action === 'enable'), t(done, { tag }))
  }

  return { run, runTag, changed, testing, updating, changingTag }
}

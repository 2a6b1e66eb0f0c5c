/** The processes, read again at each heartbeat received, and now and then for those of other processes. */
import { useQuery, useQueryClient } from '@tanstack/vue-query'
import { computed, shallowRef, watch } from 'vue'
import { useI18n } from 'vue-i18n'
import {
  type Instance,
  readInstances,
  removeInstance,
  removeStaleInstances,
} from '../../api/system-info.js'
import { useLive } from '../../shell/use-live.js'
import { useConfirm } from '../../ui/use-confirm.js'
import { useNow } from '../../ui/use-now.js'
import { useThrottled } from '../../ui/use-throttled.js'

/** As often as a process sends a heartbeat. */
const beatMs = 15_000

export function useInstances() {
  const { t } = useI18n()
  const { ask } = useConfirm()
  const queryClient = useQueryClient()
  const now = useNow()
  const readAt = shallowRef(performance.now())

  const query = useQuery({
    queryKey: ['instances'],
    queryFn: ({ signal }) => readInstances(signal),
    refetchInterval: beatMs,
  })
  watch(query.dataUpdatedAt, () => {
    readAt.value = performance.now()
  })
  const again = () => queryClient.invalidateQueries({ queryKey: ['instances'] })
  useLive(
    '/live/system',
    useThrottled(() => void again()),
  )

  /** Online ones first, then by name. */
  const instances = computed(() =>
    [...(query.data.value ?? [])].sort(
      (one, other) =>
        one.status.localeCompare(other.status) || one.node_name.localeCompare(other.node_name),
    ),
  )
  const stale = computed(() => instances.value.filter(({ status }) => status === 'stale'))

  /** Seconds since the process was last seen, counting on from when that was read. */
  function age({ age_seconds }: Instance): number {
    return age_seconds + Math.max(0, Math.floor((now.value - readAt.value) / 1000))
  }

  function removeStale(): void {
    ask({
      title: t('system-info.removeStale.title', stale.value.length),
      text: t('system-info.removeStale.text', { seconds: stale.value[0]?.stale_after_seconds }),
      verb: t('shell.remove'),
      async run() {
        gone.value = await removeStaleInstances().finally(again)
      },
    })
  }

  function remove({ node_name }: Instance): void {
    ask({
      title: t('system-info.remove.title', { name: node_name }),
      text: t('system-info.remove.text'),
      verb: t('shell.remove'),
      done: t('system-info.remove.done', { name: node_name }),
      async run() {
        // It may have come back, or somebody else took it away.
        await removeInstance(node_name).finally(again)
      },
    })
  }

  /** How many the last removal of stale ones took. */
  const gone = shallowRef<number>()
  return { query, instances, stale, gone, age, remove, removeStale }
}

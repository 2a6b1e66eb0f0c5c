/** The keys of a channel with several, page by page, and what is done to them. */
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/vue-query'
import { computed, ref } from 'vue'
import {
  type AllKeysAction,
  changeAllKeys,
  changeKey,
  type OneKeyAction,
  readKeys,
} from '../../../api/channel-keys.js'

export function useKeys(channelId: number) {
  const queryClient = useQueryClient()
  const page = ref(1)
  const pageSize = ref(10)
  /** 0: all. */
  const status = ref(0)

  const query = useQuery({
    queryKey: ['channels', 'keys', channelId, page, pageSize, status],
    queryFn: () =>
      readKeys(channelId, {
        page: page.value,
        page_size: pageSize.value,
        status: status.value || undefined,
      }),
    placeholderData: keepPreviousData,
  })
  const again = () => queryClient.invalidateQueries({ queryKey: ['channels'] })

  return {
    query,
    page,
    pageSize,
    status,
    keys: computed(() => [...(query.data.value?.keys ?? [])]),
    async one(action: OneKeyAction, keyId: number) {
      await changeKey(channelId, action, keyId)
      await again()
    },
    async all(action: AllKeysAction) {
      await changeAllKeys(channelId, action)
      await again()
    },
  }
}

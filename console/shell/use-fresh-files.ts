/**
 * After an update of the gateway an open console looks for files that are no longer there: the page it was going to is
 * then loaded anew, with the console of today.
 */
import { useMessage } from 'naive-ui'
import { onUnmounted } from 'vue'
import { useRouter } from 'vue-router'
import { inWords } from './i18n.js'

/** So soon after it was loaded itself, loading it once more would help nothing. */
const freshMs = 10_000
const notLoaded = {
  en: 'The page could not be loaded. Check the connection, then try again.',
  zh: '页面加载失败，请检查网络后重试。',
}

export function useFreshFiles(): void {
  const message = useMessage()
  const end = useRouter().onError(async (_error, { fullPath }) => {
    if (performance.now() > freshMs && (await isReachable())) location.assign(fullPath)
    else message.error(inWords(notLoaded))
  })
  onUnmounted(end)
}

async function isReachable(): Promise<boolean> {
  const answer = await fetch('/', { method: 'HEAD' }).catch(() => undefined)
  return answer?.ok === true
}

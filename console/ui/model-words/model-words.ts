/** What kinds, abilities and modalities of models are called: the texts `model-words.…`, which pages about models load with themselves. */
import { loadTexts } from '../../shell/i18n.js'
import type { ConsoleModule } from '../../shell/module.js'

const words: ConsoleModule = {
  id: 'model-words',
  routes: [],
  texts: { en: () => import('./locales/en.js'), zh: () => import('./locales/zh.js') },
}

/** A page, once these texts are there. */
export async function withModelWords<Page>(page: Promise<Page>): Promise<Page> {
  const [found] = await Promise.all([page, loadTexts(words)])
  return found
}

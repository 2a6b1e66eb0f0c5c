/** Models: what can be called here, what it is, how fast it is and what it costs; for everybody. */
import { BrainCircuit } from '@lucide/vue'
import { defineModule } from '../../shell/module.js'
import { withModelWords } from '../../ui/model-words/model-words.js'

const title = { en: 'Models', zh: '模型' }

export default defineModule({
  id: 'catalogue',
  routes: [
    {
      path: '/models',
      name: 'models',
      formerly: ['/pricing'],
      title,
      frame: 'open',
      role: 0,
      page: () => withModelWords(import('./catalogue-page.vue')),
    },
    {
      // Names have slashes and colons.
      path: '/models/:name(.+)',
      name: 'models.one',
      title: { en: 'Model', zh: '模型' },
      frame: 'open',
      role: 0,
      page: () => withModelWords(import('./one/model-page.vue')),
    },
  ],
  menu: [
    {
      route: 'models',
      title: { en: 'Catalogue', zh: '模型目录' },
      called: title,
      icon: BrainCircuit,
      section: 'use',
      order: 25,
      role: 1,
    },
  ],
  texts: { en: () => import('./locales/en.js'), zh: () => import('./locales/zh.js') },
})

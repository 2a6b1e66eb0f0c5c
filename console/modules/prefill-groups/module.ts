/** Lists forms are filled from: of models, tags and endpoints. */
import { ListChecks } from '@lucide/vue'
import { defineModule } from '../../shell/module.js'

const title = { en: 'Prefill lists', zh: '预填列表' }

export default defineModule({
  id: 'prefill-groups',
  routes: [
    {
      path: '/prefill-lists',
      name: 'prefill-groups',
      title,
      frame: 'app',
      role: 10,
      page: () => import('./lists-page.vue'),
    },
  ],
  menu: [
    {
      route: 'prefill-groups',
      title,
      icon: ListChecks,
      section: 'operate',
      order: 90,
      role: 10,
      under: 'channels',
    },
  ],
  texts: { en: () => import('./locales/en.js'), zh: () => import('./locales/zh.js') },
})

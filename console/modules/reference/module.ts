/** The reference of the API: every route the reader may call, from the OpenAPI document of this gateway. */
import { BookOpen } from '@lucide/vue'
import { defineModule } from '../../shell/module.js'

const title = { en: 'API reference', zh: 'API 参考' }

export default defineModule({
  id: 'reference',
  routes: [
    {
      path: '/reference',
      name: 'reference',
      title,
      frame: 'app',
      role: 1,
      page: () => import('./reference-page.vue'),
    },
  ],
  menu: [
    {
      route: 'reference',
      title,
      icon: BookOpen,
      section: 'use',
      order: 70,
      role: 1,
      under: 'tokens',
    },
  ],
  texts: { en: () => import('./locales/en.js'), zh: () => import('./locales/zh.js') },
})

/** Options of the gateway: grouped, searchable, changed several at once. */
import { SlidersHorizontal } from '@lucide/vue'
import { defineModule } from '../../shell/module.js'

const title = { en: 'Options', zh: '系统设置' }

export default defineModule({
  id: 'options',
  routes: [
    {
      path: '/options',
      name: 'options',
      title,
      frame: 'app',
      role: 100,
      page: () => import('./options-page.vue'),
    },
  ],
  menu: [
    {
      route: 'options',
      title,
      icon: SlidersHorizontal,
      section: 'system',
      order: 10,
      role: 100,
      called: { en: 'Settings', zh: '设置' },
    },
  ],
  optionTitles: { zh: () => import('./locales/zh-titles.js') },
  texts: { en: () => import('./locales/en.js'), zh: () => import('./locales/zh.js') },
})

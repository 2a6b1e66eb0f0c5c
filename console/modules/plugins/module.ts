/** What the gateway is made of, and the line every request runs through. */
import { Blocks } from '@lucide/vue'
import { defineModule } from '../../shell/module.js'

const title = { en: 'Plugins', zh: '插件' }

export default defineModule({
  id: 'plugins',
  routes: [
    {
      path: '/plugins',
      name: 'plugins',
      title,
      frame: 'app',
      role: 10,
      page: () => import('./plugins-page.vue'),
    },
  ],
  menu: [
    {
      route: 'plugins',
      title,
      icon: Blocks,
      section: 'system',
      order: 30,
      role: 10,
      under: 'options',
    },
  ],
  texts: { en: () => import('./locales/en.js'), zh: () => import('./locales/zh.js') },
})

// The form for GNOME 45 and later; the one for 42 to 44 is beside it, and the class Front is the same in both.

import Gio from 'gi://Gio';
import GLib from 'gi://GLib';
import Shell from 'gi://Shell';

import {Extension} from 'resource:///org/gnome/shell/extensions/extension.js';

// Answers, and tells of changes, on the session bus: org.gnome.Shell, /org/desktopmemory/Front.

const PATH = '/org/desktopmemory/Front';
const ARGS = ['title:s', 'app_id:s', 'app:s', 'pid:u', 'key:s'];
const XML = `
<node>
  <interface name="org.desktopmemory.Front">
    <method name="Get">${args('direction="out"')}</method>
    <signal name="Changed">${args('')}</signal>
  </interface>
</node>`;

function args(direction) {
    return ARGS.map(arg => {
        const [name, type] = arg.split(':');
        return `<arg name="${name}" type="${type}" ${direction}/>`;
    }).join('');
}

class Front {
    constructor() {
        this._window = null;
        this._title = 0;
        this._object = Gio.DBusExportedObject.wrapJSObject(XML, this);
        this._object.export(Gio.DBus.session, PATH);
        this._focus = global.display.connect('notify::focus-window', () => this._changed());
        this._changed();
    }

    destroy() {
        global.display.disconnect(this._focus);
        this._leave();
        this._object.unexport();
    }

    Get() {
        const window = this._window;
        if (!window)
            return ['', '', '', 0, ''];
        const app = Shell.WindowTracker.get_default().get_window_app(window);
        return [
            window.get_title() || '',
            window.get_wm_class() || window.get_gtk_application_id() || '',
            app ? app.get_name() : '',
            Math.max(window.get_pid(), 0),
            String(window.get_stable_sequence()),
        ];
    }

    _changed() {
        this._leave();
        this._window = global.display.focus_window;
        if (this._window)
            this._title = this._window.connect('notify::title', () => this._tell());
        this._tell();
    }

    _leave() {
        if (this._title)
            this._window.disconnect(this._title);
        this._window = null;
        this._title = 0;
    }

    _tell() {
        this._object.emit_signal('Changed', new GLib.Variant('(sssus)', this.Get()));
    }
}

export default class DesktopMemoryExtension extends Extension {
    enable() {
        this._front = new Front();
    }

    disable() {
        this._front.destroy();
        this._front = null;
    }
}

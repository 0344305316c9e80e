// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.html;

/**
 * Addresses of the pages.
 *
 * @param base prefix of all addresses
 */
public record Links(String base) {

    public Address home() {
        return new Address(base + "/");
    }

    /** @param name such as {@code search} or {@code operations} */
    public Address page(String name) {
        return new Address(base + "/" + name);
    }

    public Address operation(String handle) {
        return new Address(base + "/operations/" + handle);
    }

    public Address queue(String queue) {
        return new Address(base + "/queues/" + queue);
    }

    public Address tasks(String queue) {
        return new Address(base + "/queues/" + queue + "/tasks");
    }

    public Address task(String queue, String id) {
        return new Address(base + "/queues/" + queue + "/task").with("id", id);
    }

    /** Returns the address of a subpage of a queue, or of a form that changes the queue. */
    public Address of(String queue, String part) {
        return new Address(base + "/queues/" + queue + "/" + part);
    }

    /** Returns a link back to all queues. */
    public View homeCrumb() {
        return crumb("Queues", home());
    }

    public View queueCrumb(String queue) {
        return crumb(queue, queue(queue));
    }

    public View crumb(String name, Address link) {
        return View.of("crumbName", name).with("crumbLink", link);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.console.browser;

import static io.delayqueue.console.web.StaffApplication.OPERATE;
import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.CancelOutcome;
import io.delayqueue.Due;
import io.delayqueue.RescheduleOutcome;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageTypeSpecifier;
import javax.imageio.ImageWriteParam;
import javax.imageio.ImageWriter;
import javax.imageio.metadata.IIOInvalidTreeException;
import javax.imageio.metadata.IIOMetadata;
import javax.imageio.metadata.IIOMetadataNode;
import javax.imageio.stream.ImageInputStream;
import javax.imageio.stream.ImageOutputStream;
import org.junit.jupiter.api.Test;

/** The stills that the README shows: an order is placed, gets more time, and is paid. */
class OrderStillsIntegrationTests extends ConsoleScene {

    private static final Path IMAGES = Path.of(System.getProperty("delayqueue.images", "target/browser"));
    private static final int SECONDS_EACH = 7;

    @Test
    void stillsOfTheReadmeAreMadeHere() throws IOException {
        List<BufferedImage> stills = new ArrayList<>();
        browser.as(OPERATE, OPERATE).size(1000, 560);

        schedule("orders", "order-42", Duration.ofMinutes(15));
        stills.add(still("1  Order placed:  schedule \"order-42\", due in 15 minutes", "First delivery"));

        assertThat(tasks.reschedule("orders", "order-42", Due.after(Duration.ofMinutes(30))))
                .isEqualTo(RescheduleOutcome.RESCHEDULED);
        stills.add(still("2  More time to pay:  reschedule \"order-42\", due in 30 minutes", "First delivery"));

        assertThat(tasks.cancel("orders", "order-42")).isEqualTo(CancelOutcome.CANCELLED);
        stills.add(still("3  Paid:  cancel \"order-42\" returns CANCELLED", "The queue has no task with this id"));

        Path file = IMAGES.resolve("order.gif");
        write(stills, file);
        assertThat(numberOfImages(file)).isEqualTo(stills.size());
    }

    /** Returns the page of the order's task below a caption. */
    private BufferedImage still(String caption, String expected) throws IOException {
        browser.open(console() + "/queues/orders/task?id=order-42").awaitText(expected);
        browser.script("""
                const bar = document.createElement('div');
                bar.textContent = arguments[0];
                Object.assign(bar.style, {padding: '14px 22px', background: '#12305c', color: '#fff',
                    font: '600 19px monospace', whiteSpace: 'pre'});
                document.body.prepend(bar);
                """, caption);
        Path file = Path.of("target", "browser", "still.png");
        browser.screenshot(file);
        BufferedImage page = ImageIO.read(file.toFile());
        BufferedImage opaque = new BufferedImage(page.getWidth(), page.getHeight(), BufferedImage.TYPE_INT_RGB);
        opaque.createGraphics().drawImage(page, 0, 0, null);
        return opaque;
    }

    private static void write(List<BufferedImage> stills, Path file) throws IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        Files.deleteIfExists(file);
        ImageWriter writer = ImageIO.getImageWritersByFormatName("gif").next();
        ImageWriteParam parameters = writer.getDefaultWriteParam();
        try (ImageOutputStream out = ImageIO.createImageOutputStream(file.toFile())) {
            writer.setOutput(out);
            writer.prepareWriteSequence(null);
            for (BufferedImage still : stills) {
                IIOMetadata metadata = writer.getDefaultImageMetadata(new ImageTypeSpecifier(still), parameters);
                writer.writeToSequence(new IIOImage(still, null, shownInTurn(metadata)), parameters);
            }
            writer.endWriteSequence();
        } finally {
            writer.dispose();
        }
    }

    /** Returns the metadata of an image that is shown for some seconds, in a sequence that repeats. */
    private static IIOMetadata shownInTurn(IIOMetadata metadata) throws IIOInvalidTreeException {
        String format = metadata.getNativeMetadataFormatName();
        IIOMetadataNode root = new IIOMetadataNode(format);
        IIOMetadataNode control = new IIOMetadataNode("GraphicControlExtension");
        control.setAttribute("disposalMethod", "none");
        control.setAttribute("userInputFlag", "FALSE");
        control.setAttribute("transparentColorFlag", "FALSE");
        control.setAttribute("delayTime", String.valueOf(100 * SECONDS_EACH));
        control.setAttribute("transparentColorIndex", "0");
        root.appendChild(control);
        IIOMetadataNode extension = new IIOMetadataNode("ApplicationExtension");
        extension.setAttribute("applicationID", "NETSCAPE");
        extension.setAttribute("authenticationCode", "2.0");
        extension.setUserObject(new byte[] {1, 0, 0});
        IIOMetadataNode extensions = new IIOMetadataNode("ApplicationExtensions");
        extensions.appendChild(extension);
        root.appendChild(extensions);
        metadata.mergeTree(format, root);
        return metadata;
    }

    private static int numberOfImages(Path file) throws IOException {
        var reader = ImageIO.getImageReadersByFormatName("gif").next();
        try (ImageInputStream in = ImageIO.createImageInputStream(file.toFile())) {
            reader.setInput(in);
            return reader.getNumImages(true);
        } finally {
            reader.dispose();
        }
    }
}
